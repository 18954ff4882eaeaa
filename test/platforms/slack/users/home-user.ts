import { isObject } from "../server/message-checks.ts";
import { checkOption } from "../server/view-checks.ts";
import type { ShownView, Views } from "../server/views.ts";
import type { Json } from "../server/workspace.ts";
import { buttonsOn, shownText } from "./message-text.ts";
import { elementsOf, namesOf, optionOf, textOf, type ViewElement, ViewInputs } from "./view-inputs.ts";

/** A user's home tab. Actions resolve when the tab was published again, unless stated otherwise. */
export interface HomeUser {
  open(): Promise<void>;
  /** Opens the Messages tab, after which no home tab is published. */
  openMessages(): Promise<void>;
  view(): ShownView;
  /** Displayed text. */
  text(): string;
  labels(): readonly string[];
  /** Presses the button with this label. `beside`: text of its block. */
  press(label: string, beside?: string): Promise<void>;
  /** Types into the input with this label and presses Enter. */
  type(label: string, text: string): Promise<void>;
  /** Selects an option in the menu with this placeholder. */
  pick(placeholder: string, option: string): Promise<void>;
  /** Returns the options that a menu offers for the typed text. */
  search(placeholder: string, typed: string): Promise<readonly string[]>;
  /** Searches and selects the first option that starts with `option`. */
  searchAndPick(placeholder: string, typed: string, option: string): Promise<void>;
  /** Toggles the checkbox with this text. */
  toggle(words: string): Promise<void>;
  /** `wait` is false if no update follows: the first of the two times changes nothing. */
  pickTime(placeholder: string, time: string, wait?: boolean): Promise<void>;
  /** Presses a button that opens something else than the home tab. */
  pressWithoutUpdate(label: string, beside?: string): Promise<void>;
  /** State of the element with this name. */
  entered(name: string): Json;
}

export interface HomeTransport {
  readonly personId: string;
  readonly views: Views;
  /** Sends `block_actions`; resolves when it is acknowledged. */
  act(view: Json, action: Json): Promise<void>;
  /** Sends `block_suggestion` and returns its acknowledgement with the options. */
  suggest(view: Json, element: Json): Promise<Json>;
  opened(tab: "home" | "messages"): Promise<void>;
}

const PUBLISH_TIMEOUT_MS = 10_000;

export function createHomeUser(sending: HomeTransport): HomeUser {
  const { views, personId } = sending;
  let entries: ViewInputs | null = null;
  let shown: ShownView | null = null;

  function view(): ShownView {
    const now = views.homeOf(personId);
    if (now === null) throw new Error("no home tab was published");
    return now;
  }

  /** Input is discarded when another view is published. */
  function entered(): ViewInputs {
    const now = view();
    if (entries === null || shown !== now) [entries, shown] = [new ViewInputs(now), now];
    return entries;
  }

  function find(name: string, beside = ""): ViewElement {
    const all = elementsOf(view());
    const found = all.find(
      (placed) => namesOf(placed).some((word) => word.startsWith(name)) && textOf(placed.block.text).includes(beside),
    );
    if (!found) throw new Error(`no element "${name}" ${beside}: ${all.flatMap(namesOf).join(", ")}`);
    return found;
  }

  const describeView = (): Json => ({ id: view().id, type: "home", state: entered().state(), blocks: view().blocks });

  async function act(placed: ViewElement, action: Json): Promise<void> {
    const { action_id: actionId, type } = placed.element;
    await sending.act(describeView(), { action_id: actionId, block_id: placed.block.block_id, type, ...action });
  }

  async function published(work: () => Promise<void>): Promise<void> {
    const before = views.homeOf(personId);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => end(new Error("the home tab was not published")), PUBLISH_TIMEOUT_MS);
      const unsubscribe = views.onChange(() => (views.homeOf(personId) === before ? undefined : end(null)));
      function end(error: Error | null): void {
        clearTimeout(timer);
        unsubscribe();
        if (error === null) resolve();
        else reject(error);
      }
      work().catch(end);
    });
  }

  function enter(placed: ViewElement, entry: Json): Promise<void> {
    return act(placed, entered().enter(placed, entry));
  }

  async function search(placed: ViewElement, typed: string): Promise<readonly Json[]> {
    const { action_id: actionId } = placed.element;
    const answer = await sending.suggest(describeView(), {
      action_id: actionId,
      block_id: placed.block.block_id,
      value: typed,
    });
    const options = Array.isArray(answer.options) ? answer.options.filter(isObject) : [];
    const problems = options.flatMap((option, index) => checkOption(option, `options[${index}]`));
    if (problems.length > 0 || options.length > 100) throw new Error(`invalid options: ${problems.join("; ")}`);
    return options;
  }

  return {
    open: () => published(() => sending.opened("home")),
    openMessages: () => sending.opened("messages"),
    view,
    text: () => shownText({ blocks: view().blocks, attachments: [] }),
    labels: () => buttonsOn({ blocks: view().blocks, attachments: [] }).map(({ label }) => label),
    press(label, beside) {
      const placed = find(label, beside);
      return published(() => act(placed, { value: placed.element.value }));
    },
    pressWithoutUpdate(label, beside) {
      const placed = find(label, beside);
      return act(placed, { value: placed.element.value });
    },
    type: (label, text) => published(() => enter(find(label), { value: text })),
    pick(placeholder, words) {
      const placed = find(placeholder);
      return published(() => enter(placed, { selected_option: optionOf(placed.element, words) }));
    },
    search: async (placeholder, typed) => (await search(find(placeholder), typed)).map(({ text }) => textOf(text)),
    async searchAndPick(placeholder, typed, words) {
      const placed = find(placeholder);
      const found = optionOf({ options: await search(placed, typed) }, words);
      await published(() => enter(placed, { selected_option: found }));
    },
    toggle(words) {
      const boxes = elementsOf(view()).filter(({ element }) => element.type === "checkboxes");
      const placed = boxes.find(({ element }) => optionTexts(element).some((word) => word.startsWith(words)));
      if (!placed)
        throw new Error(`no checkbox "${words}": ${boxes.flatMap(({ element }) => optionTexts(element)).join(", ")}`);
      const box = optionOf(placed.element, words);
      const ticked = entered().of(placed).selected_options as readonly Json[];
      const others = ticked.filter(({ value }) => value !== box.value);
      const now = others.length === ticked.length ? [...ticked, box] : others;
      return published(() => enter(placed, { selected_options: now }));
    },
    pickTime(placeholder, time, wait = true) {
      const placed = find(placeholder);
      return wait ? published(() => enter(placed, { selected_time: time })) : enter(placed, { selected_time: time });
    },
    entered: (name) => entered().of(find(name)),
  };
}

function optionTexts({ options }: Json): readonly string[] {
  return (Array.isArray(options) ? options.filter(isObject) : []).map(({ text }) => textOf(text));
}
