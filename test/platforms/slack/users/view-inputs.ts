import { isObject } from "../server/message-checks.ts";
import type { ShownView } from "../server/views.ts";
import type { Json } from "../server/workspace.ts";

/** An element of a view with its block. */
export interface ViewElement {
  readonly block: Json;
  readonly element: Json;
}

export function elementsOf({ blocks }: Pick<ShownView, "blocks">): readonly ViewElement[] {
  return blocks.flatMap((block) => {
    const list = Array.isArray(block.elements) ? block.elements : [];
    return [...list, block.accessory, block.element]
      .filter(isObject)
      .filter(({ action_id: actionId }) => actionId !== undefined)
      .map((element) => ({ block, element }));
  });
}

/** Displayed text of an option, button, placeholder or label. */
export function textOf(value: unknown): string {
  return isObject(value) && typeof value.text === "string" ? value.text : "";
}

/** Texts that identify an element to the user: label, own text and placeholder. */
export function namesOf({ block, element }: ViewElement): readonly string[] {
  return [block.label, element.text, element.placeholder].map(textOf).filter((name) => name !== "");
}

/** Initial state of an element, in the form in which Slack sends it. */
function entryOf(element: Json): Json {
  const { type } = element;
  switch (type) {
    case "plain_text_input":
      return { type, value: element.initial_value ?? null };
    case "timepicker":
      return { type, selected_time: element.initial_time ?? null };
    case "static_select":
    case "external_select":
      return { type, selected_option: element.initial_option ?? null };
    default:
      return { type, selected_options: element.initial_options ?? [] };
  }
}

/** The option whose text starts with `words`. */
export function optionOf(element: Json, words: string): Json {
  const options = Array.isArray(element.options) ? element.options.filter(isObject) : [];
  const found = options.find(({ text }) => textOf(text).startsWith(words));
  if (!found) throw new Error(`no option "${words}": ${options.map(({ text }) => textOf(text)).join(", ")}`);
  return found;
}

/** State of each element of a view: the entered value, or the initial one. */
export class ViewInputs {
  readonly #view: ShownView;
  readonly #entered = new Map<string, Json>();

  constructor(view: ShownView) {
    this.#view = view;
  }

  enter({ block, element }: ViewElement, entry: Json): Json {
    const whole = { type: element.type, ...entry };
    this.#entered.set(`${String(block.block_id)} ${String(element.action_id)}`, whole);
    return whole;
  }

  of({ block, element }: ViewElement): Json {
    return this.#entered.get(`${String(block.block_id)} ${String(element.action_id)}`) ?? entryOf(element);
  }

  /** Buttons have no state. */
  state(): Json {
    const values: Record<string, Record<string, Json>> = {};
    for (const placed of elementsOf(this.#view)) {
      if (placed.element.type === "button") continue;
      const block = String(placed.block.block_id);
      values[block] = { ...values[block], [String(placed.element.action_id)]: this.of(placed) };
    }
    return { values };
  }
}
