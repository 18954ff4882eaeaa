import {
  BLOCKS,
  type Check,
  checkElement,
  checkId,
  checkList,
  checkString,
  checkText,
  findDuplicates,
  findUnknownKeys,
  isObject,
} from "./message-checks.ts";
import type { Json } from "./workspace.ts";

/**
 * Checks modals and home tabs against Slack's documented limits (docs.slack.dev: views, input blocks, block elements). Each
 * problem names the path of the invalid value.
 */

const MAX_BLOCKS = 100;
const MAX_OPTIONS = 100;
const MAX_CHECKBOXES = 10;
/** Undocumented: Slack answers `view_too_large` above it. */
const MAX_VIEW_LENGTH = 250_000;

const plainTextLimit = (maxLength: number): { maxLength: number; kinds: readonly string[] } => ({
  maxLength,
  kinds: ["plain_text"],
});

export function checkView(view: unknown, type: "modal" | "home"): readonly string[] {
  if (!isObject(view)) return ["view: not an object"];
  if (view.type !== type) return [`view.type: ${JSON.stringify(view.type)}, expected ${type}`];
  const size = JSON.stringify(view).length;
  return [
    ...(type === "modal" ? checkModal(view) : findUnknownKeys(view, [...COMMON, "external_id"], "view")),
    ...checkString(view.private_metadata, "view.private_metadata", 3_000),
    ...checkString(view.callback_id, "view.callback_id", 255),
    ...checkList(view.blocks, "view.blocks", [1, MAX_BLOCKS], checkViewBlock),
    ...findDuplicates(Array.isArray(view.blocks) ? view.blocks : [], "block_id", "view.blocks"),
    ...(size > MAX_VIEW_LENGTH ? [`view: ${size} characters`] : []),
  ];
}

const COMMON = ["type", "blocks", "private_metadata", "callback_id"];

function checkModal(view: Json): readonly string[] {
  const buttons = ["submit", "close"].filter((name) => view[name] !== undefined);
  return [
    ...findUnknownKeys(view, [...COMMON, "title", "submit", "close", "clear_on_close", "notify_on_close"], "view"),
    ...["title", ...buttons].flatMap((name) => checkText(view[name], `view.${name}`, plainTextLimit(24))),
    ...(view.submit === undefined && hasInputs(view) ? ["view.submit: required with inputs"] : []),
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
    return [...known, ...(BLOCKS.section?.(plain, at) ?? []), ...checkInteractive(accessory, `${at}.accessory`)];
  }
  if (block.type === "actions") {
    const own = findUnknownKeys(block, ["type", "block_id", "elements"], at);
    const named = findDuplicates(Array.isArray(elements) ? elements : [], "action_id", `${at}.elements`);
    return [...known, ...own, ...named, ...checkList(elements, `${at}.elements`, [1, 25], checkInteractive)];
  }
  return [...known, ...(BLOCKS[String(block.type)]?.(block, at) ?? [`${at}.type: ${JSON.stringify(block.type)}`])];
};

function checkInput(block: Json, at: string): readonly string[] {
  const keys = ["type", "block_id", "label", "element", "hint", "optional", "dispatch_action"];
  return [
    ...findUnknownKeys(block, keys, at),
    ...checkText(block.label, `${at}.label`, plainTextLimit(2_000)),
    ...(block.hint === undefined ? [] : checkText(block.hint, `${at}.hint`, plainTextLimit(2_000))),
    ...(isObject(block.element) && block.element.type === "plain_text_input"
      ? checkTextInput(block.element, `${at}.element`)
      : checkInteractive(block.element, `${at}.element`)),
    ...(isObject(block.element) && block.element.type === "button"
      ? [`${at}.element: a button is not an input element`]
      : []),
  ];
}

function checkTextInput(element: Json, at: string): readonly string[] {
  const keys = ["type", "action_id", "initial_value", "multiline", "min_length", "max_length", "placeholder"];
  const maxLength = Number(element.max_length ?? 3_000);
  return [
    ...findUnknownKeys(element, [...keys, "dispatch_action_config", "focus_on_load"], at),
    ...checkId(element.action_id, `${at}.action_id`),
    ...checkString(element.initial_value, `${at}.initial_value`, maxLength),
    ...(maxLength > 3_000 ? [`${at}.max_length: ${maxLength}, at most 3000`] : []),
    ...checkPlaceholder(element, at),
  ];
}

const checkInteractive: Check = (element, at) => {
  if (!isObject(element)) return [`${at}: not an object`];
  const check = INTERACTIVE_ELEMENTS[String(element.type)];
  return check === undefined
    ? checkElement(element, at)
    : [...checkId(element.action_id, `${at}.action_id`), ...check(element, at)];
};

const INTERACTIVE_ELEMENTS: Readonly<Record<string, (element: Json, at: string) => readonly string[]>> = {
  static_select: (element, at) => [
    ...findUnknownKeys(element, ["type", "action_id", "placeholder", "options", "initial_option", "confirm"], at),
    ...checkPlaceholder(element, at),
    ...checkOptions(element, at, MAX_OPTIONS),
    ...checkInitial(element.initial_option === undefined ? [] : [element.initial_option], element, at),
  ],
  multi_static_select: (element, at) => [
    ...findUnknownKeys(
      element,
      ["type", "action_id", "placeholder", "options", "initial_options", "max_selected_items"],
      at,
    ),
    ...checkPlaceholder(element, at),
    ...checkOptions(element, at, MAX_OPTIONS),
    ...checkInitials(element, at),
  ],
  checkboxes: (element, at) => [
    ...findUnknownKeys(element, ["type", "action_id", "options", "initial_options"], at),
    ...checkOptions(element, at, MAX_CHECKBOXES),
    ...checkInitials(element, at),
  ],
  external_select: (element, at) => [
    ...findUnknownKeys(element, ["type", "action_id", "placeholder", "initial_option", "min_query_length"], at),
    ...checkPlaceholder(element, at),
    ...(element.initial_option === undefined ? [] : checkOption(element.initial_option, `${at}.initial_option`)),
  ],
  timepicker: (element, at) => [
    ...findUnknownKeys(element, ["type", "action_id", "placeholder", "initial_time", "timezone"], at),
    ...checkPlaceholder(element, at),
    ...(element.initial_time === undefined || /^"([01]\d|2[0-3]):[0-5]\d"$/.test(JSON.stringify(element.initial_time))
      ? []
      : [`${at}.initial_time: ${JSON.stringify(element.initial_time)}`]),
  ],
};

function checkPlaceholder({ placeholder }: Json, at: string): readonly string[] {
  return placeholder === undefined ? [] : checkText(placeholder, `${at}.placeholder`, plainTextLimit(150));
}

function checkOptions({ options }: Json, at: string, maxOptions: number): readonly string[] {
  return [
    ...checkList(options, `${at}.options`, [1, maxOptions], checkOption),
    ...findDuplicates(Array.isArray(options) ? options : [], "value", `${at}.options`),
  ];
}

export const checkOption: Check = (option, at) => {
  if (!isObject(option)) return [`${at}: not an object`];
  return [
    ...findUnknownKeys(option, ["text", "value", "description"], at),
    ...checkText(option.text, `${at}.text`, { maxLength: 75 }),
    ...(typeof option.value === "string" && option.value !== "" ? [] : [`${at}.value: missing`]),
    ...checkString(option.value, `${at}.value`, 150),
    ...(option.description === undefined ? [] : checkText(option.description, `${at}.description`, { maxLength: 75 })),
  ];
};

function checkInitials(element: Json, at: string): readonly string[] {
  const { initial_options: initial } = element;
  if (initial === undefined) return [];
  if (!Array.isArray(initial) || initial.length === 0) return [`${at}.initial_options: empty`];
  return checkInitial(initial, element, at);
}

/** Each initial option must equal one of the options. */
function checkInitial(initial: readonly unknown[], { options }: Json, at: string): readonly string[] {
  const known = (Array.isArray(options) ? options : []).map((one) => JSON.stringify(one));
  return initial.every((one) => known.includes(JSON.stringify(one)))
    ? []
    : [`${at}: the initial option is not among the options`];
}
