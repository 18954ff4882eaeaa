import { isObject } from "../server/block-kit.ts";
import { checkOption } from "../server/view-kit.ts";
import type { ShownView, Views } from "../server/views.ts";
import type { Json } from "../server/workspace.ts";
import { buttonsOn, shownText } from "./message-text.ts";
import { Entries, elementsOf, namesOf, optionOf, type Placed, wordsOf } from "./view-entries.ts";

/** Somebody's home in the app, and what they do there. Each act resolves when the home has been published anew. */
export interface HomeUser {
  open(): Promise<void>;
  /** Looks at another tab: no home comes of that. */
  openMessages(): Promise<void>;
  view(): ShownView;
  /** What stands there, from the top down. */
  text(): string;
  labels(): readonly string[];
  /** The button with this label; `beside`: in the block with these words. */
  press(label: string, beside?: string): Promise<void>;
  /** Types into the input with this label, and presses Enter. */
  type(label: string, text: string): Promise<void>;
  /** Picks an option of the menu that says so while it is empty. */
  pick(placeholder: string, option: string): Promise<void>;
  /** What a menu offers for what is typed into it. */
  search(placeholder: string, typed: string): Promise<readonly string[]>;
  /** Searches, and picks the first that begins so. */
  pickFound(placeholder: string, typed: string, option: string): Promise<void>;
  /** Ticks or unticks the box with these words. */
  tick(words: string): Promise<void>;
  /** `wait` false: no home comes of it, since one time of two says nothing yet. */
  time(placeholder: string, time: string, wait?: boolean): Promise<void>;
  /** A press that opens no home but something else. */
  pressOnly(label: string, beside?: string): Promise<void>;
  /** What is chosen or entered in the element with this name. */
  entered(name: string): Json;
}

export interface HomeSending {
  readonly personId: string;
  readonly views: Views;
  /** Hands over `block_actions`, and resolves when it is acknowledged. */
  act(view: Json, action: Json): Promise<void>;
  /** Hands over `block_suggestion`, and gives the options that come back. */
  suggest(view: Json, element: Json): Promise<Json>;
  opened(tab: "home" | "messages"): Promise<void>;
}

const PATIENCE_MS = 10_000;

export function createHomeUser(sending: HomeSending): HomeUser {
  const { views, personId } = sending;
  let entries: Entries | null = null;
  let shown: ShownView | null = null;

  function view(): ShownView {
    const now = views.homeOf(personId);
    if (now === null) throw new Error("no home has been published");
    return now;
  }

  /** What is entered goes when another view is published. */
  function entered(): Entries {
    const now = view();
    if (entries === null || shown !== now) [entries, shown] = [new Entries(now), now];
    return entries;
  }

  function find(name: string, beside = ""): Placed {
    const all = elementsOf(view());
    const found = all.find(
      (placed) => namesOf(placed).some((word) => word.startsWith(name)) && wordsOf(placed.block.text).includes(beside),
    );
    if (!found) throw new Error(`nothing here is called "${name}" ${beside}: ${all.flatMap(namesOf).join(", ")}`);
    return found;
  }

  const described = (): Json => ({ id: view().id, type: "home", state: entered().state(), blocks: view().blocks });

  async function act(placed: Placed, action: Json): Promise<void> {
    const { action_id: actionId, type } = placed.element;
    await sending.act(described(), { action_id: actionId, block_id: placed.block.block_id, type, ...action });
  }

  async function published(work: () => Promise<void>): Promise<void> {
    const before = views.homeOf(personId);
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => end(new Error("no home was published")), PATIENCE_MS);
      const unfollow = views.onChange(() => (views.homeOf(personId) === before ? undefined : end(null)));
      function end(error: Error | null): void {
        clearTimeout(late);
        unfollow();
        if (error === null) resolve();
        else reject(error);
      }
      work().catch(end);
    });
  }

  function enter(placed: Placed, entry: Json): Promise<void> {
    return act(placed, entered().enter(placed, entry));
  }

  async function search(placed: Placed, typed: string): Promise<readonly Json[]> {
    const { action_id: actionId } = placed.element;
    const answer = await sending.suggest(described(), {
      action_id: actionId,
      block_id: placed.block.block_id,
      value: typed,
    });
    const options = Array.isArray(answer.options) ? answer.options.filter(isObject) : [];
    const problems = options.flatMap((option, index) => checkOption(option, `options[${index}]`));
    if (problems.length > 0 || options.length > 100)
      throw new Error(`offered against Slack's rules: ${problems.join("; ")}`);
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
    pressOnly(label, beside) {
      const placed = find(label, beside);
      return act(placed, { value: placed.element.value });
    },
    type: (label, text) => published(() => enter(find(label), { value: text })),
    pick(placeholder, words) {
      const placed = find(placeholder);
      return published(() => enter(placed, { selected_option: optionOf(placed.element, words) }));
    },
    search: async (placeholder, typed) => (await search(find(placeholder), typed)).map(({ text }) => wordsOf(text)),
    async pickFound(placeholder, typed, words) {
      const placed = find(placeholder);
      const found = optionOf({ options: await search(placed, typed) }, words);
      await published(() => enter(placed, { selected_option: found }));
    },
    tick(words) {
      const boxes = elementsOf(view()).filter(({ element }) => element.type === "checkboxes");
      const placed = boxes.find(({ element }) => wordsIn(element).some((word) => word.startsWith(words)));
      if (!placed) throw new Error(`no box "${words}": ${boxes.flatMap(({ element }) => wordsIn(element)).join(", ")}`);
      const box = optionOf(placed.element, words);
      const ticked = entered().of(placed).selected_options as readonly Json[];
      const others = ticked.filter(({ value }) => value !== box.value);
      const now = others.length === ticked.length ? [...ticked, box] : others;
      return published(() => enter(placed, { selected_options: now }));
    },
    time(placeholder, time, wait = true) {
      const placed = find(placeholder);
      return wait ? published(() => enter(placed, { selected_time: time })) : enter(placed, { selected_time: time });
    },
    entered: (name) => entered().of(find(name)),
  };
}

function wordsIn({ options }: Json): readonly string[] {
  return (Array.isArray(options) ? options.filter(isObject) : []).map(({ text }) => wordsOf(text));
}
