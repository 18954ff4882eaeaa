import { isObject } from "../server/block-kit.ts";
import type { ShownView } from "../server/views.ts";
import type { Json } from "../server/workspace.ts";

/** An element of a view, and the block in which it stands. */
export interface Placed {
  readonly block: Json;
  readonly element: Json;
}

export function elementsOf({ blocks }: Pick<ShownView, "blocks">): readonly Placed[] {
  return blocks.flatMap((block) => {
    const list = Array.isArray(block.elements) ? block.elements : [];
    return [...list, block.accessory, block.element]
      .filter(isObject)
      .filter(({ action_id: actionId }) => actionId !== undefined)
      .map((element) => ({ block, element }));
  });
}

/** What people read of an option, a button, a placeholder or a label. */
export function wordsOf(value: unknown): string {
  return isObject(value) && typeof value.text === "string" ? value.text : "";
}

/** The words by which somebody finds an element: its label, its own text, what stands in it while it is empty. */
export function namesOf({ block, element }: Placed): readonly string[] {
  return [block.label, element.text, element.placeholder].map(wordsOf).filter((name) => name !== "");
}

/** As Slack tells it with every press: what is entered in each element. */
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

/** The option that begins so. */
export function optionOf(element: Json, words: string): Json {
  const options = Array.isArray(element.options) ? element.options.filter(isObject) : [];
  const found = options.find(({ text }) => wordsOf(text).startsWith(words));
  if (!found) throw new Error(`no option "${words}": ${options.map(({ text }) => wordsOf(text)).join(", ")}`);
  return found;
}

/** What is entered in a view, element by element: what it began with, until somebody enters something else. */
export class Entries {
  readonly #view: ShownView;
  readonly #entered = new Map<string, Json>();

  constructor(view: ShownView) {
    this.#view = view;
  }

  enter({ block, element }: Placed, entry: Json): Json {
    const whole = { type: element.type, ...entry };
    this.#entered.set(`${String(block.block_id)} ${String(element.action_id)}`, whole);
    return whole;
  }

  of({ block, element }: Placed): Json {
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
