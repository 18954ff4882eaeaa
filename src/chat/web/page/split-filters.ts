import { byId, el } from "./dom.ts";
import type { CurrentSplit } from "./protocol.ts";
import { dayAfter, shortDay } from "./time.ts";
import { TREATMENT_KEYS, treatmentKey, treatmentName } from "./treatment.ts";

/** Search and filters above the table of splits. */
export interface SplitFilters {
  readonly isActive: boolean;
  /** Offers the exchanges and treatments of these splits. `today`: current day at the exchanges. */
  offer(splits: readonly CurrentSplit[], today: string): void;
  matches(split: CurrentSplit): boolean;
  /** Selects one ex date, and removes the other filters. */
  selectDay(day: string): void;
  clear(): void;
}

/** Spans of ex dates: first and last day, from today. */
const SPANS: ReadonlyMap<string, (today: string) => readonly [string, string]> = new Map([
  ["today", (today) => [today, today]],
  ["week", (today) => [today, dayAfter(today, 6)]],
  ["weeks", (today) => [today, dayAfter(today, 13)]],
  ["effect", (today) => ["", today]],
]);

/** `changed`: called after the reader has changed a filter. */
export function createSplitFilters(changed: () => void): SplitFilters {
  const form = byId("filters", HTMLFormElement);
  const text = byId("filter-text", HTMLInputElement);
  const exchange = byId("filter-exchange", HTMLSelectElement);
  const date = byId("filter-date", HTMLSelectElement);
  const treatment = byId("filter-treatment", HTMLSelectElement);
  const dayOption = byId("filter-day", HTMLOptionElement);
  let today = "";

  function matchesDate({ exDate }: CurrentSplit): boolean {
    if (date.value === "") return true;
    const [from, to] = SPANS.get(date.value)?.(today) ?? [date.value, date.value];
    return exDate >= from && exDate <= to;
  }

  function matchesText({ ticker, company }: CurrentSplit): boolean {
    const words = text.value.trim().toLowerCase();
    return ticker.toLowerCase().startsWith(words.replace(/^\$/, "")) || company.toLowerCase().includes(words);
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", changed);

  return {
    get isActive() {
      return [text, exchange, date, treatment].some(({ value }) => value.trim() !== "");
    },
    offer(splits, day) {
      today = day;
      form.hidden = splits.length === 0;
      const exchanges = [...new Set(splits.map((split) => split.exchange))].toSorted();
      offerValues(
        exchange,
        exchanges.map((name) => [name, name]),
      );
      const treatments = new Set(splits.map((split) => treatmentKey(split.treatment)));
      const keys = TREATMENT_KEYS.filter((key) => treatments.has(key));
      offerValues(
        treatment,
        keys.map((key) => [key, treatmentName(key)]),
      );
    },
    matches: (split) =>
      matchesText(split) &&
      (exchange.value === "" || split.exchange === exchange.value) &&
      (treatment.value === "" || treatmentKey(split.treatment) === treatment.value) &&
      matchesDate(split),
    selectDay(day) {
      form.reset();
      dayOption.value = day;
      dayOption.textContent = shortDay(day, Date.parse(today));
      dayOption.hidden = false;
      date.value = day;
    },
    clear: () => form.reset(),
  };
}

/** Replaces the options after the first one, which selects everything. Keeps the selected value, also if it is not offered any more. */
function offerValues(select: HTMLSelectElement, offered: readonly (readonly [string, string])[]): void {
  const { value } = select;
  const selected = [value, select.selectedOptions.item(0)?.textContent ?? value] as const;
  const isGone = value !== "" && !offered.some(([name]) => name === value);
  const options = isGone ? [...offered, selected] : offered;
  while (select.options.length > 1) select.remove(1);
  for (const [name, label] of options) {
    const option = el("option", {}, label);
    option.value = name;
    select.append(option);
  }
  select.value = value;
}
