import { ApiError, getOverview } from "./api.ts";
import { byId, el, externalText } from "./dom.ts";
import type { DeliveriesState, DeliveryProblem, OverviewAnswer, SourceLine, SourceState } from "./protocol.ts";
import { refreshTimes, relativeTime, setServerTime } from "./server-time.ts";
import { createSplitsTable } from "./splits-table.ts";
import { createStrip } from "./strip.ts";

const REFRESH_MS = 30_000;
const TIMES_REFRESH_MS = 5_000;
/** Refresh requests within this time are combined. */
const DEBOUNCE_MS = 250;

/** Sidebar (splits, deliveries, sources) and the relative times on the page. */
export interface Sidebar {
  show(overview: OverviewAnswer): void;
  scheduleRefresh(): void;
}

/** Refreshes the sidebar at intervals. Its first content comes from elsewhere. `channel`: returns the open channel. */
export function startSidebar(channel: () => string): Sidebar {
  const table = createSplitsTable();
  const strip = createStrip((day) => table.selectDay(day));
  let timer = 0;
  const note = byId("note", HTMLButtonElement);
  note.addEventListener("click", () =>
    note.setAttribute("aria-expanded", String(note.getAttribute("aria-expanded") === "false")),
  );

  function show(overview: OverviewAnswer): void {
    setServerTime(overview.now);
    document.body.dataset.subscribed = String(overview.isSubscribed);
    strip.show(overview);
    table.show(overview);
    showDeliveries(overview.deliveries);
    showSource(overview.source);
    showSources(overview.sources);
    byId("version", HTMLElement).textContent = overview.version;
    byId("sign-out", HTMLFormElement).hidden = !overview.signedIn;
    refreshTimes();
  }

  async function refresh(): Promise<void> {
    try {
      show(await getOverview(channel()));
    } catch (error) {
      // Keeps the old content, which shows its age; the connection banner reports the failure.
      if (!(error instanceof ApiError)) throw error;
      refreshTimes();
    }
  }

  function scheduleRefresh(): void {
    clearTimeout(timer);
    timer = setTimeout(refresh, DEBOUNCE_MS);
  }

  setInterval(() => {
    if (!document.hidden) scheduleRefresh();
  }, REFRESH_MS);
  setInterval(refreshTimes, TIMES_REFRESH_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) scheduleRefresh();
  });
  return { show, scheduleRefresh };
}

/** Shows the data source in the header and its note below. */
function showSource(source: SourceState): void {
  const button = byId("source", HTMLButtonElement);
  button.dataset.state = source.state;
  byId("replay", HTMLButtonElement).hidden = !source.sample;
  byId("source-text", HTMLElement).replaceChildren(externalText(source.name, "source-name"), ...freshness(source));
  showNote(source);
}

function freshness(source: SourceState): readonly Node[] {
  if (source.readAt === null) return [el("span", {}, source.state === "failed" ? "can't be read" : "loading…")];
  const label = source.state === "fresh" ? "updated " : "last updated ";
  return [el("span", {}, el("span", { class: "source-verb" }, label), relativeTime(source.readAt))];
}

function showNote(source: SourceState): void {
  const note = byId("note", HTMLElement);
  const parts = [
    source.sample ? el("span", { class: "badge", "data-badge": "sample" }, "SAMPLE") : null,
    noteText(source),
  ];
  const children = parts.filter((part) => part !== null);
  note.hidden = children.length === 0;
  note.dataset.kind = source.problem === null ? "note" : "problem";
  if (children.length > 0) note.replaceChildren(...children);
}

function noteText(source: SourceState): HTMLElement | null {
  const text = [source.problem, source.note].filter((part) => part !== null).join("\n");
  return text === "" ? null : el("span", { class: "note-text" }, externalText(text));
}

const STATE_NAMES: Readonly<Record<DeliveryProblem["state"], string>> = {
  delayed: "Delayed",
  paused: "Paused",
  failed: "Failed",
};

function showDeliveries(deliveries: DeliveriesState): void {
  const { waiting, held, problems } = deliveries;
  byId("deliveries-summary", HTMLElement).textContent = [waitingText(waiting, problems.length), ...heldText(held)].join(
    " ",
  );
  byId("deliveries-list", HTMLUListElement).replaceChildren(...problems.map(problemView));
  byId("deliveries", HTMLElement).dataset.state = problems.length === 0 ? "calm" : "trouble";
}

function waitingText(waiting: number, problems: number): string {
  if (waiting > 0) return `${waiting} ${waiting === 1 ? "alert" : "alerts"} waiting.`;
  return problems === 0 ? "No alerts waiting or failed." : "No alerts waiting.";
}

function heldText(held: number): readonly string[] {
  if (held === 0) return [];
  return [`${held === 1 ? "1 alert is" : `${held} alerts are`} held (muted, quiet hours or digest).`];
}

function problemView(problem: DeliveryProblem): HTMLElement {
  const alerts = problem.count === 1 ? "1 alert" : `${problem.count} alerts`;
  return el(
    "li",
    { "data-state": problem.state },
    el(
      "p",
      { class: "meta" },
      el("span", { class: "state" }, STATE_NAMES[problem.state]),
      externalText(problem.where, "where"),
      el("span", {}, alerts),
      timeView(problem),
    ),
    el("p", { class: "line" }, externalText(problem.reason)),
  );
}

function timeView(problem: DeliveryProblem): HTMLElement {
  return problem.state === "delayed"
    ? el("span", {}, "next try ", relativeTime(problem.at, "until"))
    : relativeTime(problem.at);
}

function showSources(sources: readonly SourceLine[]): void {
  byId("sources", HTMLElement).hidden = sources.length === 0;
  byId("sources-list", HTMLUListElement).replaceChildren(...sources.map(sourceView));
}

/** View of a source. The state is written as text, because color alone isn't accessible. */
function sourceView({ name, word, tone, lastNewAt, problem }: SourceLine): HTMLElement {
  const newest = lastNewAt === null ? null : el("span", { class: "newest" }, "new ", relativeTime(lastNewAt));
  return el(
    "li",
    { "data-tone": tone },
    el("p", { class: "meta" }, externalText(name, "where"), el("span", { class: "state" }, word), newest),
    problem === null ? null : el("p", { class: "line" }, externalText(problem)),
  );
}
