import { badgeViews } from "./card.ts";
import { byId, el, externalText } from "./dom.ts";
import type { CurrentSplit, OverviewAnswer } from "./protocol.ts";
import { splitAddress } from "./route.ts";
import { serverNow } from "./server-time.ts";
import { createSplitFilters } from "./split-filters.ts";
import { shortDay } from "./time.ts";
import { treatmentKey, treatmentName, treatmentView } from "./treatment.ts";

type Column = "ticker" | "ratio" | "exDate";

interface Order {
  readonly column: Column;
  readonly direction: "ascending" | "descending";
}

/** Primary sort keys; ties are ordered by ex date, then ticker. */
const SORT_KEYS: Readonly<Record<Column, (split: CurrentSplit) => string | number>> = {
  ticker: (split) => split.ticker,
  ratio: (split) => split.oldPerNew ?? Number.POSITIVE_INFINITY,
  exDate: (split) => split.exDate,
};

const COLUMN_COUNT = Object.keys(SORT_KEYS).length;

/** Number of splits shown at first: as many as a high window shows. More would delay the page noticeably. */
const FIRST_SPLITS = 25;
/** Number of splits added per step. */
const SPLITS_PER_STEP = 50;

export interface SplitsTable {
  /** Shows sample data with one badge above the table instead of one per row. */
  show(overview: OverviewAnswer): void;
  /** Shows only the splits of one ex date. */
  selectDay(day: string): void;
}

/** Table of current splits with search and filters. */
export function createSplitsTable(): SplitsTable {
  const table = byId("splits", HTMLTableElement);
  const body = byId("splits-body", HTMLTableSectionElement);
  let splits: readonly CurrentSplit[] = [];
  let order: Order = { column: "exDate", direction: "ascending" };
  let renderedSplits = "";
  const rows = createStepwiseRows(body, rowViews);
  openOnClick(body);
  const filters = createSplitFilters(filter);

  function draw(): void {
    const focusedTicker = document.activeElement?.closest("tr")?.dataset.ticker;
    const matching = splits.filter((split) => filters.matches(split));
    rows.show(sortSplits(matching, order));
    showCount(matching.length, filters.isActive ? splits.length : null);
    table.hidden = matching.length === 0;
    if (focusedTicker !== undefined)
      body.querySelector<HTMLElement>(`tr[data-ticker="${CSS.escape(focusedTicker)}"] .ticker`)?.focus();
    for (const head of table.querySelectorAll<HTMLElement>("th[data-column]")) {
      const isActive = head.dataset.column === order.column;
      head.setAttribute("aria-sort", isActive ? order.direction : "none");
    }
  }

  function filter(): void {
    rows.restart();
    draw();
  }

  byId("filter-clear", HTMLButtonElement).addEventListener("click", () => {
    filters.clear();
    filter();
    byId("filter-text", HTMLInputElement).focus();
  });

  for (const head of table.querySelectorAll<HTMLElement>("th[data-column]")) {
    head.querySelector("button")?.addEventListener("click", () => {
      const column = head.dataset.column as Column;
      const isReversed = order.column === column && order.direction === "ascending";
      order = { column, direction: isReversed ? "descending" : "ascending" };
      filter();
    });
  }

  return {
    show(overview) {
      byId("splits-sample", HTMLElement).hidden = !overview.source.sample;
      // Redraws only after a change, to keep the reader's selection.
      const text = JSON.stringify([overview.today, overview.splits]);
      if (text === renderedSplits) return;
      renderedSplits = text;
      splits = overview.splits;
      filters.offer(splits, overview.today);
      draw();
      byId("no-splits", HTMLElement).hidden = splits.length > 0;
      for (const count of document.querySelectorAll("[data-split-count]")) count.textContent = String(splits.length);
    },
    selectDay(day) {
      filters.selectDay(day);
      filter();
      byId("filters", HTMLFormElement).scrollIntoView({ block: "nearest" });
      body.querySelector<HTMLElement>(".ticker")?.focus({ preventScroll: true });
    },
  };
}

/** Shows how many splits match the filters; `total` is null without filters. */
function showCount(count: number, total: number | null): void {
  byId("filter-result", HTMLElement).hidden = total === null;
  byId("filter-count", HTMLElement).textContent = total === null ? "" : countText(count, total);
}

function countText(count: number, total: number): string {
  return count === 0 ? "No split matches." : `${count} of ${total} splits`;
}

/** Rows of a list that is longer than a reader sees: further ones follow at the end of the page or on request. */
interface StepwiseRows {
  /** Replaces the rows; as many as before are shown. */
  show(splits: readonly CurrentSplit[]): void;
  /** Shows the first rows only, from the next `show` on. */
  restart(): void;
}

function createStepwiseRows(
  body: HTMLTableSectionElement,
  viewsOf: (split: CurrentSplit) => readonly HTMLElement[],
): StepwiseRows {
  const more = byId("more-splits", HTMLButtonElement);
  let splits: readonly CurrentSplit[] = [];
  let shown = 0;
  let maxSplits = FIRST_SPLITS;

  function addRows(): void {
    const added = splits.slice(shown, maxSplits);
    body.append(...added.flatMap(viewsOf));
    shown += added.length;
    const left = splits.length - shown;
    more.hidden = left === 0;
    more.textContent = `Show more (${left})`;
  }

  function addStep(): void {
    maxSplits += SPLITS_PER_STEP;
    addRows();
  }

  more.addEventListener("click", () => {
    const next = body.rows.length;
    addStep();
    // The button disappears after the last step.
    body.rows[next]?.querySelector("a")?.focus({ preventScroll: true });
  });
  // A reader who scrolls to the end needs no click. The focus also scrolls to the button, which then waits for its key.
  new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting) && document.activeElement !== more) addStep();
  }).observe(more);

  return {
    show(next) {
      splits = next;
      shown = 0;
      body.replaceChildren();
      addRows();
    },
    restart() {
      maxSplits = FIRST_SPLITS;
    },
  };
}

function sortSplits(splits: readonly CurrentSplit[], order: Order): readonly CurrentSplit[] {
  const key = SORT_KEYS[order.column];
  const direction = order.direction === "ascending" ? 1 : -1;
  return splits.toSorted(
    (a, b) => direction * compare(key(a), key(b)) || compare(a.exDate, b.exDate) || compare(a.ticker, b.ticker),
  );
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The row of a split, and one with its warnings, which need the width of the table. */
function rowViews(split: CurrentSplit): readonly HTMLElement[] {
  return split.warnings.length === 0 ? [rowView(split)] : [rowView(split), warningsView(split)];
}

function warningsView({ ticker, warnings }: CurrentSplit): HTMLElement {
  const subject = el("span", { class: "hidden" }, `${ticker}: `);
  const cell = el(
    "td",
    {},
    subject,
    ...warnings.map((warning) => el("span", { class: "warning" }, externalText(warning))),
  );
  cell.colSpan = COLUMN_COUNT;
  return el("tr", { class: "warnings-row", "data-ticker": ticker }, cell);
}

/** Opens a split after a click anywhere in its rows, unless the reader has selected text. */
function openOnClick(body: HTMLTableSectionElement): void {
  body.addEventListener("click", ({ target }) => {
    const row = target instanceof Element && target.closest("a") === null ? target.closest("tr") : null;
    const ticker = row?.dataset.ticker;
    if (ticker !== undefined && getSelection()?.isCollapsed !== false) location.hash = splitAddress(ticker);
  });
}

function rowView(split: CurrentSplit): HTMLElement {
  const ticker = el("a", { class: "ticker" }, externalText(split.ticker));
  ticker.href = splitAddress(split.ticker);
  const treatment = treatmentKey(split.treatment);
  return el(
    "tr",
    { "data-ticker": split.ticker },
    el(
      "td",
      {},
      el(
        "span",
        { class: "head" },
        ticker,
        " ",
        el("span", { class: "exchange" }, externalText(split.exchange)),
        " ",
        ...badgeViews(split.badges.filter((badge) => badge !== "SAMPLE")),
      ),
      companyView(split.company),
    ),
    el(
      "td",
      {},
      el("span", { class: "head" }, externalText(split.ratio)),
      treatmentView(treatment, externalText(treatmentName(treatment)), "detail"),
    ),
    el(
      "td",
      {},
      el("span", { class: "head", title: split.exDate }, shortDay(split.exDate, serverNow())),
      externalText(split.effectiveText, "detail"),
    ),
  );
}

function companyView(company: string): HTMLElement {
  const view = externalText(company, "company");
  view.title = company;
  return view;
}
