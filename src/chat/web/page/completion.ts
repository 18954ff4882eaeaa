import { el, externalText } from "./dom.ts";
import { partialLine, type Suggestion, type Suggestions } from "./protocol.ts";

/**
 * List of suggestions of a combobox (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/): the focus stays in the input, and
 * `aria-activedescendant` marks the active suggestion.
 */
export interface SuggestionList {
  readonly isOpen: boolean;
  /** Selected suggestion; null: none. */
  readonly active: Suggestion | null;
  readonly first: Suggestion | null;
  /** `selectFirst`: whether Enter accepts the first suggestion, because the line can't be run yet. */
  show(suggestions: readonly Suggestion[], selectFirst?: boolean): void;
  /** Selects none, because the suggestions are for an earlier text. */
  deselect(): void;
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

  function show(next: readonly Suggestion[], selectFirst = false): void {
    suggestions = next;
    list.replaceChildren(...next.map(optionView));
    list.hidden = next.length === 0;
    input.setAttribute("aria-expanded", String(next.length > 0));
    activate(selectFirst && next.length > 0 ? 0 : -1);
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
    deselect: () => activate(-1),
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

const NO_SUGGESTIONS: Suggestions = { suggestions: [], isComplete: true };

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
  complete(line: string, signal: AbortSignal): Promise<Suggestions>;
}): Suggester {
  const { input } = parts;
  const suggestionList = createSuggestionList(input, parts.list, accept);
  let request = new AbortController();

  /** Ignores answers to outdated input. */
  async function suggest(): Promise<void> {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    suggestionList.deselect();
    const line = partialLine(input.value);
    const { suggestions, isComplete } = await parts.complete(line, signal).catch(() => NO_SUGGESTIONS);
    if (signal.aborted || document.activeElement !== input) return;
    const further = suggestions.filter((suggestion) => suggestion.line !== line);
    suggestionList.show(further, !isComplete);
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
