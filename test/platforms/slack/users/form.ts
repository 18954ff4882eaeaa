import type { ShownView } from "../server/views.ts";
import type { Json } from "../server/workspace.ts";
import { shownText } from "./message-text.ts";
import { Entries, elementsOf, namesOf, optionOf, type Placed } from "./view-entries.ts";

/** A modal before somebody's eyes, who fills it in and sends it off. */
export interface Form {
  readonly view: ShownView;
  /** Its labels and texts. */
  text(): string;
  /** What is entered at the input with this label. */
  entered(label: string): Json;
  /** Types into the input with this label, in the place of what stands there. */
  type(label: string, text: string): void;
  /** Chooses these options and no others. */
  choose(label: string, ...options: readonly string[]): void;
  /** What the app answers: empty where the form closes, else its errors by the labels of their inputs. */
  submit(): Promise<Readonly<Record<string, string>>>;
  /** Sends once more what was sent last, as Slack does when it did not hear. */
  again(): Promise<Json>;
}

export interface FormSending {
  /** Hands over the `view_submission`, and gives what it is acknowledged with. `repeats`: the last one again. */
  send(view: Json, repeats: boolean): Promise<Json>;
  closed(): void;
}

export function createForm(view: ShownView, sending: FormSending): Form {
  const entries = new Entries(view);
  const all = elementsOf(view);

  function at(label: string): Placed {
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
    again: () => sending.send(submitted(), true),
  };
}

/** Slack shows an error at an input of the form, and none that names no input. */
function byLabel(errors: Readonly<Record<string, string>>, all: readonly Placed[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(errors).map(([blockId, error]) => {
      const input = all.find(({ block }) => block.block_id === blockId && block.type === "input");
      if (!input) throw new Error(`the app names an error at "${blockId}", which is no input`);
      return [namesOf(input)[0] ?? blockId, error];
    }),
  );
}
