import { createSuggester, type Suggester } from "./completion.ts";
import { byId } from "./dom.ts";
import { readStorage, writeStorage } from "./identity.ts";
import { type Suggestion, type Suggestions, stripPrefix } from "./protocol.ts";

export interface ComposerHandlers {
  /** Called when a command is submitted. */
  run(line: string): void;
  complete(line: string, signal: AbortSignal): Promise<Suggestions>;
}

/** Command input with suggestions and history. */
export interface Composer {
  focus(): void;
  /** Puts `line` into the input and shows its completions. */
  prepare(line: string): void;
}

const PREFIX = "/splits ";

export function createComposer(handlers: ComposerHandlers): Composer {
  const input = byId("command", HTMLInputElement);
  const history = createLineHistory();
  const suggester = createSuggester({
    input,
    list: byId("suggestions", HTMLElement),
    fill: (line) => fill(PREFIX + line),
    complete: (line, signal) => handlers.complete(line, signal),
  });

  function fill(text: string): void {
    input.value = text;
    input.setSelectionRange(text.length, text.length);
    input.scrollLeft = input.scrollWidth;
  }

  function submit(): void {
    const line = stripPrefix(input.value);
    suggester.close();
    if (input.value.trim() === "") return;
    history.add(PREFIX + line);
    fill("");
    handlers.run(line);
  }

  function edited(): void {
    history.reset();
    if (input.value === "") suggester.close();
    else void suggester.suggest();
  }

  const keydown = createKeyHandler(suggester, (step) => {
    if (step === 1 && !history.isBrowsing) void suggester.suggest();
    else fill(history.move(step, input.value));
  });
  listen(input, { submit, keydown, edited, blur: () => suggester.close() });
  return {
    focus: () => input.focus(),
    prepare(line) {
      input.focus();
      fill(PREFIX + line);
      void suggester.suggest();
    },
  };
}

/** Returns a key handler, which returns true if it consumed the key. While the list is closed, arrow keys call `moveHistory`. */
function createKeyHandler(
  suggester: Suggester,
  moveHistory: (step: 1 | -1) => void,
): (event: KeyboardEvent) => boolean {
  const { suggestionList } = suggester;

  function handleArrow(step: 1 | -1): boolean {
    if (suggestionList.isOpen) suggestionList.move(step);
    else moveHistory(step);
    return true;
  }

  function acceptSuggestion(suggestion: Suggestion | null): boolean {
    if (suggestion !== null) suggester.accept(suggestion);
    return suggestion !== null;
  }

  function closeList(): boolean {
    const { isOpen: wasOpen } = suggestionList;
    suggester.close();
    return wasOpen;
  }

  const keys = new Map<string, (event: KeyboardEvent) => boolean>([
    ["ArrowDown", () => handleArrow(1)],
    ["ArrowUp", () => handleArrow(-1)],
    ["Tab", (event) => !event.shiftKey && acceptSuggestion(suggestionList.active ?? suggestionList.first)],
    ["Enter", () => acceptSuggestion(suggestionList.active)],
    ["Escape", closeList],
  ]);
  return (event) => keys.get(event.key)?.(event) ?? false;
}

interface InputHandlers {
  submit(): void;
  keydown(event: KeyboardEvent): boolean;
  edited(): void;
  blur(): void;
}

function listen(input: HTMLInputElement, handlers: InputHandlers): void {
  input.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    handlers.submit();
  });
  input.addEventListener("input", () => handlers.edited());
  input.addEventListener("blur", () => handlers.blur());
  input.addEventListener("keydown", (event) => {
    // An input method handles its own keys while it composes a character.
    if (!event.isComposing && handlers.keydown(event)) event.preventDefault();
  });
}

const STORAGE_KEY = "splitwatch.lines";
const MAX_LINES = 50;

/** History of submitted commands, as in a shell. */
export interface LineHistory {
  /** True while the input shows an earlier command. */
  readonly isBrowsing: boolean;
  add(line: string): void;
  /** Returns the next older (`step` -1) or newer (1) command; after the newest, the unsent draft. `input`: the current text. */
  move(step: 1 | -1, input: string): string;
  /** Ends browsing: the input is a new draft. */
  reset(): void;
}

export function createLineHistory(): LineHistory {
  const lines = savedLines();
  let position = lines.length;
  let draft = "";

  return {
    get isBrowsing() {
      return position < lines.length;
    },
    add(line) {
      if (lines.at(-1) !== line) lines.push(line);
      lines.splice(0, lines.length - MAX_LINES);
      position = lines.length;
      writeStorage(STORAGE_KEY, JSON.stringify(lines));
    },
    move(step, input) {
      if (position === lines.length) draft = input;
      position = Math.min(Math.max(position + step, 0), lines.length);
      return lines[position] ?? draft;
    },
    reset() {
      position = lines.length;
    },
  };
}

function savedLines(): string[] {
  try {
    const lines: unknown = JSON.parse(readStorage(STORAGE_KEY) || "[]");
    return Array.isArray(lines) ? lines.filter((line) => typeof line === "string").slice(-MAX_LINES) : [];
  } catch {
    return [];
  }
}
