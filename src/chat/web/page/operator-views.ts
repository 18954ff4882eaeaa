import { el, externalText, link, onPress } from "./dom.ts";
import type {
  OperatorDestination,
  OperatorMessage,
  OperatorOverview,
  OperatorQueue,
  OperatorRules,
  OperatorSource,
} from "./protocol.ts";
import { relativeTime } from "./server-time.ts";

type Tone = "good" | "warning" | "bad" | "plain";
type Part = Node | string | null;

/** An entry of a list: a state in words and color, a name, facts, and lines below. */
function entry(
  { state, tone, name }: { readonly state: string; readonly tone: Tone; readonly name: Node },
  facts: readonly Part[],
  lines: readonly Part[] = [],
): HTMLElement {
  return el(
    "li",
    { "data-tone": tone },
    el(
      "p",
      { class: "head" },
      state === "" ? null : el("span", { class: "state" }, state),
      el("span", { class: "name" }, name),
      ...facts.map((fact) => (fact === null ? null : el("span", { class: "fact" }, fact))),
    ),
    ...lines.map((line) => (line === null ? null : el("p", { class: "line" }, line))),
  );
}

function time(label: string, at: number | null, direction: "ago" | "until" = "ago"): HTMLElement | null {
  return at === null ? null : el("span", {}, `${label} `, relativeTime(at, direction));
}

function noun(number: number, one: string): string {
  return number === 1 ? one : `${one}s`;
}

function count(number: number, one: string): string {
  return `${number.toLocaleString("en-US")} ${noun(number, one)}`;
}

export function messageEntry({ to, at, failure, link: address, ...message }: OperatorMessage): HTMLElement {
  const head =
    failure === null ? ({ state: "Sent", tone: "good" } as const) : ({ state: "Failed", tone: "bad" } as const);
  const { sends, blindResends: blind } = message;
  return entry(
    { ...head, name: externalText(to.name) },
    [
      relativeTime(at),
      message.deliveries > 1 ? count(message.deliveries, "alert") : null,
      sends === null ? null : count(sends, "attempt"),
      blind > 0 ? `resent ${count(blind, "time")}, may appear twice` : null,
      address === null ? null : link(address, "Open message"),
    ],
    [failure === null ? null : externalText(failure), ...eventLines(message.events, message.deliveries)],
  );
}

function eventLines(events: readonly string[], total: number): readonly Part[] {
  const more = total - events.length;
  return [
    ...events.map((event) => externalText(event, "event")),
    more > 0 && events.length > 0 ? `and ${more.toLocaleString("en-US")} more` : null,
  ];
}

export function queueEntry(queue: OperatorQueue, resume: (to: OperatorDestination) => Promise<void>): HTMLElement {
  const { to, waiting, events, attempt, deferral, pause } = queue;
  const view = entry(
    {
      ...(pause === null ? { state: "Waiting", tone: "plain" } : { state: "Paused", tone: "warning" }),
      name: externalText(to.name),
    },
    [
      count(waiting, "alert") + (waiting === 0 ? "" : " waiting"),
      ...(pause === null
        ? []
        : [time("since", pause.since), count(pause.refusals, "refusal"), time("next try", pause.retryAt, "until")]),
    ],
    [
      pause === null ? null : externalText(pause.reason),
      attempt === null ? null : attemptLine(attempt, pause !== null),
      deferral === null ? null : deferralLine(deferral),
      ...eventLines(events, waiting),
    ],
  );
  if (pause !== null) view.append(resumeButton(to, resume));
  return view;
}

function attemptLine(
  { state, sends, problem, notBefore }: NonNullable<OperatorQueue["attempt"]>,
  isPaused: boolean,
): HTMLElement {
  return el(
    "span",
    {},
    `Message ${state}, ${count(sends, "attempt")}`,
    problem === null ? null : el("span", {}, ": ", externalText(problem)),
    isPaused || problem === null ? null : el("span", {}, "; next try ", relativeTime(notBefore, "until")),
  );
}

function deferralLine({ reason, notBefore, isTextOnly }: NonNullable<OperatorQueue["deferral"]>): HTMLElement {
  const next = isTextOnly ? "; next try as text " : "; next try ";
  return el("span", {}, "Alert not sent: ", externalText(reason), next, relativeTime(notBefore, "until"));
}

function resumeButton(to: OperatorDestination, resume: (to: OperatorDestination) => Promise<void>): HTMLElement {
  const button = el("button", { class: "button", "aria-label": `Resume ${to.name}` }, "Resume");
  return onPress(button, () => resume(to));
}

export function rulesEntry({ to, rules }: OperatorRules): HTMLElement {
  return entry(
    { state: "", tone: "plain", name: externalText(to.name) },
    [count(rules.length, "rule")],
    rules.map(({ number, text, createdAt }) => {
      const origin = createdAt === null ? "in the settings" : relativeTime(createdAt);
      return el("span", {}, `${number}. `, externalText(text), " ", el("span", { class: "quiet" }, origin));
    }),
  );
}

export function pollEntry({ name, last }: OperatorOverview["polls"][number]): HTMLElement {
  const label = externalText(`Poll of ${name}`);
  if (last === null) return entry({ state: "not polled yet", tone: "plain", name: label }, []);
  const { outcome, tone, at, lastCompleteAt, records, detail } = last;
  return entry(
    { state: outcome, tone, name: label },
    [relativeTime(at), count(records, "record")],
    [externalText(detail), outcome === "complete" ? null : time("last complete", lastCompleteAt)],
  );
}

/** Null for a source that was never read: whether items are missing is unknown. */
function noGapsText({ lastOkAt }: OperatorSource): string | null {
  return lastOkAt === null ? null : "no gaps";
}

/** `listed`: number of all listed splits. */
export function sourceEntry(source: OperatorSource, listed: number): HTMLElement {
  const { name, word, tone, problem, gaps, failures } = source;
  return entry(
    { state: word, tone, name: externalText(name) },
    [
      time("read", source.lastOkAt),
      time("new item", source.lastNewAt),
      gaps === 0
        ? noGapsText(source)
        : el("span", {}, `${count(gaps, "gap")}, last `, relativeTime(source.lastGapAt ?? 0)),
      listed === 0 ? null : `states ${source.splits.toLocaleString("en-US")} of ${count(listed, "listed split")}`,
    ],
    [
      problem === null ? null : externalText(problem),
      el(
        "span",
        { class: "quiet" },
        [
          `${count(source.items, "item")} listed`,
          `${source.newItems.toLocaleString("en-US")} new`,
          count(source.requests, "request"),
          failures.length === 0 ? "no failed reads" : `failed reads: ${failures.join(", ")}`,
        ].join(", "),
        source.firstReadAt === null ? null : el("span", {}, "; first read ", relativeTime(source.firstReadAt)),
      ),
    ],
  );
}

export function quarantineEntry({ kind, reason }: OperatorOverview["quarantined"]["records"][number]): HTMLElement {
  return entry({ state: kind, tone: "warning", name: externalText(reason) }, []);
}

export function processEntry({ name, isThis, roles, jobs }: OperatorOverview["processes"][number]): HTMLElement {
  return entry({ state: "", tone: "good", name: externalText(name) }, [
    isThis ? "this process" : null,
    roles === null ? null : `roles: ${roles.join(", ")}`,
    jobs.length === 0 ? "no jobs" : `jobs: ${jobs.join(", ")}`,
  ]);
}

/** What needs attention beyond single destinations. */
export function troubleEntries({
  platforms,
  source,
  storeProblem,
  missingRoles,
}: OperatorOverview): readonly HTMLElement[] {
  return [
    ...(storeProblem === null ? [] : [trouble("Store", "bad", storeProblem)]),
    ...(source.problem === null ? [] : [trouble(source.name, "bad", source.problem)]),
    ...platforms.map(({ name, reason, rejectedSince, retryAt }) =>
      trouble(name, "bad", reason, [time("rejected since", rejectedSince), time("next try", retryAt, "until")]),
    ),
    ...missingRoles.map((consequence) => trouble("Roles", "bad", consequence)),
    ...source.notes.map((note) => trouble("Data", "plain", note)),
  ];
}

function trouble(state: string, tone: Tone, reason: string, facts: readonly Part[] = []): HTMLElement {
  return entry({ state, tone, name: externalText(reason) }, facts);
}

/** The numbers at the top; the state of a delivery selects its list. */
export function countViews({ deliveries, subscriptions }: OperatorOverview): readonly HTMLElement[] {
  const { waiting, uncertain, paused, failed, delayed } = deliveries;
  const { rules, people, tickers } = subscriptions;
  const counts: readonly (readonly [number, string, Tone])[] = [
    [waiting, `${noun(waiting, "alert")} waiting`, "plain"],
    [paused, `${noun(paused, "destination")} paused`, warnIf(paused)],
    [failed, `${noun(failed, "message")} failed`, failed > 0 ? "bad" : "plain"],
    [delayed, `${noun(delayed, "message")} retried`, warnIf(delayed)],
    [uncertain, `${noun(uncertain, "outcome")} unknown`, warnIf(uncertain)],
    [rules, noun(rules, "rule"), "plain"],
    [people, `${noun(people, "watchlist")}, ${count(tickers, "ticker")}`, "plain"],
  ];
  return counts.map(([number, label, tone]) =>
    el("li", { "data-tone": tone }, el("strong", {}, number.toLocaleString("en-US")), el("span", {}, label)),
  );
}

function warnIf(number: number): Tone {
  return number > 0 ? "warning" : "plain";
}
