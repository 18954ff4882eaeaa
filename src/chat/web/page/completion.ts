import { el, externalText } from "./dom.ts";
import { partialLine, type Suggestion } from "./protocol.ts";

/**
 * List of suggestions of a combobox (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/): the focus stays in the input, and
 * `aria-activedescendant` marks the active suggestion.
 */
export interface SuggestionList {
  readonly isOpen: boolean;
  /** Suggestion selected with the arrow keys; null: none. */
  readonly active: Suggestion | null;
  readonly first: Suggestion | null;
  show(suggestions: readonly Suggestion[]): void;
  /** `step` 1: next, -1: previous; wraps around. */
  move(step: 1 | -1): void;
  close(): void;
}

function createSuggestionList(
  input: HTMLInputElement,
  list: HTMLElement,
  accept: (suggestion: Suggestion) => void,
): SuggestionList {
  let suggestions: readonly Suggestion[] = [];
  let position = -1;

  function activate(next: number): void {
    position = next;
    for (const [index, option] of [...list.children].entries())
      option.setAttribute("aria-selected", String(index === position));
    const active = list.children.item(position);
    if (active) input.setAttribute("aria-activedescendant", active.id);
    else input.removeAttribute("aria-activedescendant");
    active?.scrollIntoView({ block: "nearest" });
  }

  function show(next: readonly Suggestion[]): void {
    suggestions = next;
    list.replaceChildren(...next.map(optionView));
    list.hidden = next.length === 0;
    input.setAttribute("aria-expanded", String(next.length > 0));
    activate(-1);
  }

  // Not `click`: the input would lose the focus first, which closes the list.
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const option = event.target instanceof Element ? event.target.closest("[role=option]") : null;
    const suggestion = option === null ? undefined : suggestions[[...list.children].indexOf(option)];
    if (suggestion) accept(suggestion);
  });

  return {
    get isOpen() {
      return suggestions.length > 0;
    },
    get active() {
      return suggestions[position] ?? null;
    },
    get first() {
      return suggestions[0] ?? null;
    },
    show,
    move(step) {
      const count = suggestions.length;
      const from = position === -1 && step === -1 ? count : position;
      if (count > 0) activate((from + step + count) % count);
    },
    close: () => show([]),
  };
}

function optionView(suggestion: Suggestion, index: number): HTMLElement {
  return el(
    "div",
    { role: "option", id: `suggestion-${index}`, "aria-selected": "false" },
    externalText(suggestion.label, "suggestion-label"),
    externalText(suggestion.hint, "suggestion-hint"),
  );
}

/** Offers completions of the input and inserts the accepted one. */
export interface Suggester {
  readonly suggestionList: SuggestionList;
  suggest(): Promise<void>;
  accept(suggestion: Suggestion): void;
  close(): void;
}

export function createSuggester(parts: {
  readonly input: HTMLInputElement;
  readonly list: HTMLElement;
  fill(line: string): void;
  complete(line: string, signal: AbortSignal): Promise<readonly Suggestion[]>;
}): Suggester {
  const { input } = parts;
  const suggestionList = createSuggestionList(input, parts.list, accept);
  let request = new AbortController();

  /** Ignores answers to outdated input. */
  async function suggest(): Promise<void> {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const line = partialLine(input.value);
    const answer = await parts.complete(line, signal).catch(() => []);
    if (signal.aborted || document.activeElement !== input) return;
    suggestionList.show(answer.filter((suggestion) => suggestion.line !== line));
  }

  function accept(suggestion: Suggestion): void {
    parts.fill(suggestion.line);
    input.focus();
    void suggest();
  }

  return {
    suggestionList,
    suggest,
    accept,
    close() {
      request.abort();
      suggestionList.close();
    },
  };
}
