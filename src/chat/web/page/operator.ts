import { ApiError } from "./api.ts";
import { byId, el } from "./dom.ts";
import { showNotice } from "./notices.ts";
import { getMessages, getOperatorOverview, getQueues, getRules, type ListQuery, postResume } from "./operator-api.ts";
import {
  countViews,
  messageEntry,
  pollEntry,
  processEntry,
  quarantineEntry,
  queueEntry,
  rulesEntry,
  sourceEntry,
  troubleEntries,
} from "./operator-views.ts";
import type { OperatorDestination, OperatorOverviewAnswer } from "./protocol.ts";
import { refreshTimes, relativeTime, setServerTime } from "./server-time.ts";

const REFRESH_MS = 30_000;
const TIMES_REFRESH_MS = 5_000;
/** Time after which the outcome of a retry is shown. */
const RETRY_SHOWN_MS = 3_000;

interface ListPage {
  readonly entries: readonly HTMLElement[];
  readonly next: string | null;
}

/** A list in pages, below a form with its filters. */
interface PagedList {
  /** Reads the first page. Keeps the list if the reader has opened further pages, unless `isForced`. */
  refresh(isForced?: boolean): Promise<void>;
}

/** `name`: prefix of the ids of its elements. */
function createPagedList(name: string, readPage: (query: ListQuery) => Promise<ListPage>, empty: string): PagedList {
  const form = byId(`${name}-form`, HTMLFormElement);
  const list = byId(`${name}-list`, HTMLUListElement);
  const state = byId(`${name}-state`, HTMLElement);
  const more = byId(`${name}-more`, HTMLButtonElement);
  let next: string | null = null;
  let pages = 0;
  /** Incremented by each request: the answer to an earlier one is outdated. */
  let requests = 0;

  async function read(after: string): Promise<void> {
    requests += 1;
    const request = requests;
    const fields = Object.fromEntries(
      [...new FormData(form)].map(([key, value]) => [key, typeof value === "string" ? value.trim() : ""]),
    );
    const page = await readPage({ destination: "", ...fields, after }).catch(problemText);
    if (request !== requests) return;
    if (typeof page === "string") state.textContent = page;
    else showPage(page, after !== "");
  }

  function showPage(page: ListPage, isFurther: boolean): void {
    const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : null;
    if (!isFurther) list.replaceChildren();
    list.append(...page.entries);
    pages = isFurther ? pages + 1 : 1;
    next = page.next;
    showEnd(page);
    if (focused) list.querySelector<HTMLElement>(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
    refreshTimes();
  }

  /** A page can be empty although others follow: a search continues where it ended. */
  function showEnd({ entries, next: following }: ListPage): void {
    more.hidden = following === null;
    more.textContent = entries.length === 0 ? "Continue the search" : "Show more";
    const nothing = following === null ? empty : "Nothing found among the newest. The search can continue.";
    state.textContent = list.childElementCount === 0 ? nothing : "";
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void read("");
  });
  form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "radio") void read("");
  });
  more.addEventListener("click", () => void read(next ?? ""));
  return {
    async refresh(isForced = false) {
      if (pages <= 1 || isForced) await read("");
    },
  };
}

function problemText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  throw error;
}

const deliveries = createPagedList(
  "deliveries",
  async (query) => {
    if (query.state === "waiting" || query.state === "paused") {
      const { items, next } = await getQueues(query);
      return { entries: items.map((queue) => queueEntry(queue, resume)), next };
    }
    const { items, next } = await getMessages(query);
    return { entries: items.map(messageEntry), next };
  },
  "No deliveries.",
);
const rules = createPagedList(
  "rules",
  async (query) => {
    const { items, next } = await getRules(query);
    return { entries: items.map(rulesEntry), next };
  },
  "No channel has a rule.",
);

async function resume(to: OperatorDestination): Promise<void> {
  const answer = await postResume(to).catch(problemText);
  if (typeof answer === "string") return showNotice(answer);
  showNotice(
    answer.resumed
      ? `${to.name}: waiting alerts are being sent; without any, the next alert is sent immediately.`
      : `${to.name} isn't paused anymore.`,
  );
  setTimeout(() => void refresh(true), RETRY_SHOWN_MS);
}

function show(overview: OperatorOverviewAnswer): void {
  setServerTime(overview.now);
  byId("age", HTMLElement).replaceChildren("updated ", relativeTime(overview.now));
  byId("version", HTMLElement).textContent = overview.version;
  fill("counts", countViews(overview));
  const troubles = troubleEntries(overview);
  byId("troubles", HTMLElement).hidden = troubles.length === 0;
  fill("troubles-list", troubles);
  fill("polls-list", overview.polls.map(pollEntry));
  fill(
    "sources-list",
    overview.sources.map((source) => sourceEntry(source, overview.splits)),
  );
  fill("processes-list", overview.processes.map(processEntry));
  const { total, records } = overview.quarantined;
  fill("quarantine-list", records.map(quarantineEntry));
  byId("quarantine-state", HTMLElement).textContent = quarantineState(total, records.length);
}

function quarantineState(total: number, shown: number): string {
  if (total === 0) return "No records or documents are quarantined.";
  return total > shown ? `${total.toLocaleString("en-US")} records; the first ${shown} are shown.` : "";
}

function fill(id: string, children: readonly HTMLElement[]): void {
  byId(id, HTMLUListElement).replaceChildren(...children);
}

async function refresh(isForced = false): Promise<void> {
  const problem = byId("problem", HTMLElement);
  const overview = await getOperatorOverview().catch(problemText);
  problem.hidden = typeof overview !== "string";
  if (typeof overview === "string") problem.replaceChildren(el("span", {}, overview));
  else show(overview);
  await Promise.all([deliveries.refresh(isForced), rules.refresh()]);
  refreshTimes();
}

setInterval(() => {
  if (!document.hidden) void refresh();
}, REFRESH_MS);
setInterval(refreshTimes, TIMES_REFRESH_MS);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void refresh();
});
void refresh();
