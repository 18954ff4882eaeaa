import {
  BLOCKS,
  type Check,
  checkElement,
  checkId,
  checkList,
  checkString,
  checkText,
  isObject,
  repeated,
  unknownKeys,
} from "./block-kit.ts";
import type { Json } from "./workspace.ts";

/**
 * The documented limits of modals and homes, checked as Slack would: the rules stand at docs.slack.dev under views, input
 * blocks and block elements. Each problem names its place.
 */

const MOST_BLOCKS = 100;
const MOST_OPTIONS = 100;
const MOST_BOXES = 10;
/** Not documented: Slack answers view_too_large beyond it. */
const LONGEST_VIEW = 250_000;

const plainOf = (longest: number): { longest: number; kinds: readonly string[] } => ({
  longest,
  kinds: ["plain_text"],
});

export function checkView(view: unknown, type: "modal" | "home"): readonly string[] {
  if (!isObject(view)) return ["view: not an object"];
  if (view.type !== type) return [`view.type: ${JSON.stringify(view.type)}, expected ${type}`];
  const size = JSON.stringify(view).length;
  return [
    ...(type === "modal" ? checkModal(view) : unknownKeys(view, [...COMMON, "external_id"], "view")),
    ...checkString(view.private_metadata, "view.private_metadata", 3_000),
    ...checkString(view.callback_id, "view.callback_id", 255),
    ...checkList(view.blocks, "view.blocks", [1, MOST_BLOCKS], checkViewBlock),
    ...repeated(Array.isArray(view.blocks) ? view.blocks : [], "block_id", "view.blocks"),
    ...(size > LONGEST_VIEW ? [`view: ${size} characters`] : []),
  ];
}

const COMMON = ["type", "blocks", "private_metadata", "callback_id"];

function checkModal(view: Json): readonly string[] {
  const words = ["submit", "close"].filter((name) => view[name] !== undefined);
  return [
    ...unknownKeys(view, [...COMMON, "title", "submit", "close", "clear_on_close", "notify_on_close"], "view"),
    ...["title", ...words].flatMap((name) => checkText(view[name], `view.${name}`, plainOf(24))),
    ...(view.submit === undefined && hasInputs(view) ? ["view.submit: missing, and there are inputs"] : []),
  ];
}

function hasInputs({ blocks }: Json): boolean {
  return Array.isArray(blocks) && blocks.some((block: unknown) => isObject(block) && block.type === "input");
}

const checkViewBlock: Check = (block, at) => {
  if (!isObject(block)) return [`${at}: not an object`];
  const known = checkId(block.block_id, `${at}.block_id`);
  if (block.type === "input") return [...known, ...checkInput(block, at)];
  const { accessory, elements } = block;
  if (block.type === "section" && accessory !== undefined) {
    const { accessory: _, ...plain } = block;
    return [...known, ...(BLOCKS.section?.(plain, at) ?? []), ...checkChooser(accessory, `${at}.accessory`)];
  }
  if (block.type === "actions") {
    const own = unknownKeys(block, ["type", "block_id", "elements"], at);
    const named = repeated(Array.isArray(elements) ? elements : [], "action_id", `${at}.elements`);
    return [...known, ...own, ...named, ...checkList(elements, `${at}.elements`, [1, 25], checkChooser)];
  }
  return [...known, ...(BLOCKS[String(block.type)]?.(block, at) ?? [`${at}.type: ${JSON.stringify(block.type)}`])];
};

function checkInput(block: Json, at: string): readonly string[] {
  const keys = ["type", "block_id", "label", "element", "hint", "optional", "dispatch_action"];
  return [
    ...unknownKeys(block, keys, at),
    ...checkText(block.label, `${at}.label`, plainOf(2_000)),
    ...(block.hint === undefined ? [] : checkText(block.hint, `${at}.hint`, plainOf(2_000))),
    ...(isObject(block.element) && block.element.type === "plain_text_input"
      ? checkTextInput(block.element, `${at}.element`)
      : checkChooser(block.element, `${at}.element`)),
    ...(isObject(block.element) && block.element.type === "button" ? [`${at}.element: a button is no input`] : []),
  ];
}

function checkTextInput(element: Json, at: string): readonly string[] {
  const keys = ["type", "action_id", "initial_value", "multiline", "min_length", "max_length", "placeholder"];
  const longest = Number(element.max_length ?? 3_000);
  return [
    ...unknownKeys(element, [...keys, "dispatch_action_config", "focus_on_load"], at),
    ...checkId(element.action_id, `${at}.action_id`),
    ...checkString(element.initial_value, `${at}.initial_value`, longest),
    ...(longest > 3_000 ? [`${at}.max_length: ${longest}, at most 3000`] : []),
    ...checkPlaceholder(element, at),
  ];
}

const checkChooser: Check = (element, at) => {
  if (!isObject(element)) return [`${at}: not an object`];
  const check = CHOOSERS[String(element.type)];
  return check === undefined
    ? checkElement(element, at)
    : [...checkId(element.action_id, `${at}.action_id`), ...check(element, at)];
};

const CHOOSERS: Readonly<Record<string, (element: Json, at: string) => readonly string[]>> = {
  static_select: (element, at) => [
    ...unknownKeys(element, ["type", "action_id", "placeholder", "options", "initial_option", "confirm"], at),
    ...checkPlaceholder(element, at),
    ...checkOptions(element, at, MOST_OPTIONS),
    ...checkInitial(element.initial_option === undefined ? [] : [element.initial_option], element, at),
  ],
  multi_static_select: (element, at) => [
    ...unknownKeys(
      element,
      ["type", "action_id", "placeholder", "options", "initial_options", "max_selected_items"],
      at,
    ),
    ...checkPlaceholder(element, at),
    ...checkOptions(element, at, MOST_OPTIONS),
    ...checkInitials(element, at),
  ],
  checkboxes: (element, at) => [
    ...unknownKeys(element, ["type", "action_id", "options", "initial_options"], at),
    ...checkOptions(element, at, MOST_BOXES),
    ...checkInitials(element, at),
  ],
  external_select: (element, at) => [
    ...unknownKeys(element, ["type", "action_id", "placeholder", "initial_option", "min_query_length"], at),
    ...checkPlaceholder(element, at),
    ...(element.initial_option === undefined ? [] : checkOption(element.initial_option, `${at}.initial_option`)),
  ],
  timepicker: (element, at) => [
    ...unknownKeys(element, ["type", "action_id", "placeholder", "initial_time", "timezone"], at),
    ...checkPlaceholder(element, at),
    ...(element.initial_time === undefined || /^"([01]\d|2[0-3]):[0-5]\d"$/.test(JSON.stringify(element.initial_time))
      ? []
      : [`${at}.initial_time: ${JSON.stringify(element.initial_time)}`]),
  ],
};

function checkPlaceholder({ placeholder }: Json, at: string): readonly string[] {
  return placeholder === undefined ? [] : checkText(placeholder, `${at}.placeholder`, plainOf(150));
}

function checkOptions({ options }: Json, at: string, most: number): readonly string[] {
  return [
    ...checkList(options, `${at}.options`, [1, most], checkOption),
    ...repeated(Array.isArray(options) ? options : [], "value", `${at}.options`),
  ];
}

export const checkOption: Check = (option, at) => {
  if (!isObject(option)) return [`${at}: not an object`];
  return [
    ...unknownKeys(option, ["text", "value", "description"], at),
    ...checkText(option.text, `${at}.text`, { longest: 75 }),
    ...(typeof option.value === "string" && option.value !== "" ? [] : [`${at}.value: missing`]),
    ...checkString(option.value, `${at}.value`, 150),
    ...(option.description === undefined ? [] : checkText(option.description, `${at}.description`, { longest: 75 })),
  ];
};

function checkInitials(element: Json, at: string): readonly string[] {
  const { initial_options: initial } = element;
  if (initial === undefined) return [];
  if (!Array.isArray(initial) || initial.length === 0) return [`${at}.initial_options: empty`];
  return checkInitial(initial, element, at);
}

/** What is chosen to begin with has to be one of the options, word for word. */
function checkInitial(initial: readonly unknown[], { options }: Json, at: string): readonly string[] {
  const known = (Array.isArray(options) ? options : []).map((one) => JSON.stringify(one));
  return initial.every((one) => known.includes(JSON.stringify(one))) ? [] : [`${at}: begins with what is no option`];
}
