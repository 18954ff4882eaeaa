import type { ShownView } from "../server/views.ts";
import type { Json } from "../server/workspace.ts";
import { shownText } from "./message-text.ts";
import { elementsOf, namesOf, optionOf, type ViewElement, ViewInputs } from "./view-inputs.ts";

/** An open modal that a user fills in and submits. */
export interface Form {
  readonly view: ShownView;
  /** Labels and texts. */
  text(): string;
  /** State of the input with this label. */
  entered(label: string): Json;
  /** Replaces the text of the input with this label. */
  type(label: string, text: string): void;
  /** Selects exactly these options. */
  choose(label: string, ...options: readonly string[]): void;
  /** Returns the errors by the labels of their inputs; empty if the form closes. */
  submit(): Promise<Readonly<Record<string, string>>>;
  /** Repeats the last submission, as Slack does without an acknowledgement. */
  resubmit(): Promise<Json>;
}

export interface FormTransport {
  /** Sends a `view_submission` and returns its acknowledgement. `repeats`: sends the last one again. */
  send(view: Json, repeats: boolean): Promise<Json>;
  closed(): void;
}

export function createForm(view: ShownView, sending: FormTransport): Form {
  const entries = new ViewInputs(view);
  const all = elementsOf(view);

  function at(label: string): ViewElement {
    const found = all.find((placed) => namesOf(placed).some((name) => name.startsWith(label)));
    if (!found) throw new Error(`no input "${label}": ${all.flatMap(namesOf).join(", ")}`);
    return found;
  }

  const submitted = (): Json => ({
    id: view.id,
    type: "modal",
    callback_id: view.callbackId,
    private_metadata: view.metadata,
    blocks: view.blocks,
    state: entries.state(),
  });

  return {
    view,
    text: () => [shownText({ blocks: view.blocks, attachments: [] }), ...all.flatMap(namesOf)].join("\n"),
    entered: (label) => entries.of(at(label)),
    type: (label, text) => void entries.enter(at(label), { value: text === "" ? null : text }),
    choose(label, ...words) {
      const placed = at(label);
      const options = words.map((word) => optionOf(placed.element, word));
      const isOne = placed.element.type === "static_select";
      entries.enter(placed, isOne ? { selected_option: options[0] } : { selected_options: options });
    },
    async submit() {
      const answer = await sending.send(submitted(), false);
      if (answer.response_action !== "errors") {
        sending.closed();
        return {};
      }
      return byLabel(answer.errors as Readonly<Record<string, string>>, all);
    },
    resubmit: () => sending.send(submitted(), true),
  };
}

/** Slack shows an error only if it names an input of the form. */
function byLabel(
  errors: Readonly<Record<string, string>>,
  all: readonly ViewElement[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(errors).map(([blockId, error]) => {
      const input = all.find(({ block }) => block.block_id === blockId && block.type === "input");
      if (!input) throw new Error(`the app reports an error for "${blockId}", which is not an input`);
      return [namesOf(input)[0] ?? blockId, error];
    }),
  );
}
