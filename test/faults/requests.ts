import { MINUTE_MS } from "../../src/domain/time/day.ts";

/** A request that sends a message to a destination, or searches for one there. */
export interface ChatRequest {
  readonly request: "send" | "search";
  /** Time of the schedule. */
  readonly at: number;
  /** Text of the message; empty for a search. */
  readonly text: string;
  /**
   * `refused`: only this message, by the platform; `intercepted`: by something before it. `unanswered`: it may have been posted.
   * `hindered`: the destination is limited or refuses messages; `stopped`: all of them do.
   */
  readonly outcome: "ok" | "refused" | "intercepted" | "unanswered" | "hindered" | "stopped";
}

/** Whether the request failed because of its message. */
export function isRefused({ outcome }: ChatRequest): boolean {
  return outcome === "refused" || outcome === "intercepted";
}

export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Characters of a line of a message in the description of its request. */
const MAX_DESCRIBED_LENGTH = 60;

/** Time in which a message without an answer may still be posted. */
const MAX_ARRIVAL_MS = MINUTE_MS;

/**
 * Whether later alerts may have passed an alert at this time: after two refusals, after a send that isn't the first one and didn't reach
 * the platform, or a minute after a send without an answer. A refusal counts if no earlier send may still be posted. `failed`: the
 * failed sends with the alert, oldest first, also those that were limited.
 */
export function mayBePassed(failed: readonly ChatRequest[], at: number): boolean {
  const before = failed.filter((one) => one.at < at);
  const mayArrive = (time: number): boolean =>
    before.some((one) => one.outcome === "unanswered" && one.at < time && time < one.at + MAX_ARRIVAL_MS);
  const refusals = before.filter((one) => isRefused(one) && !mayArrive(one.at));
  const isInterceptedLater = refusals.some((one) => one.outcome === "intercepted" && one !== before[0]);
  return (
    refusals.length > 1 ||
    isInterceptedLater ||
    (before.some(({ outcome }) => outcome === "unanswered") && !mayArrive(at))
  );
}

/** One line for each request, with the first words of each line of its message. */
export function describeRequests(requests: readonly ChatRequest[]): string {
  return requests
    .map(({ request, at, outcome, text }) => {
      const lines = text.split("\n").map((line) => line.slice(0, MAX_DESCRIBED_LENGTH));
      return `${new Date(at).toISOString()} ${request} ${outcome} ${lines.join(" | ")}`.trim();
    })
    .join("\n");
}

/** Requests to all destinations, and to one of them. */
interface Requests {
  readonly all: readonly ChatRequest[];
  readonly own: readonly ChatRequest[];
}

export interface Block {
  readonly ms: number;
  /** Whether a message before had no answer; else they were all refused. */
  readonly isUnanswered: boolean;
}

/**
 * Time within a span in which a message to the destination had been refused or wasn't answered, while nothing else kept the program from
 * sending there. `hindrances`: faults that do, each until the next request after it.
 */
export function blockIn({ own, all }: Requests, hindrances: readonly Span[], { from, until }: Span): Block {
  const hindered = [
    ...hindrances,
    ...own.filter(({ outcome }) => outcome === "hindered").map(({ at }) => ({ from: at, until: at })),
    ...all.filter(({ outcome }) => outcome === "stopped").map(({ at }) => ({ from: at, until: at })),
  ].map((span) => ({ from: span.from, until: nextTry(own, span.until) }));
  const unsettled = unsettledSpans(own).filter((span) => span.from < until && from < span.until);
  const cuts = [...unsettled, ...hindered].flatMap((span) => [span.from, span.until]);
  const times = [from, ...cuts.filter((time) => from < time && time < until), until].toSorted((a, b) => a - b);
  let ms = 0;
  for (const [index, end] of times.entries()) {
    const start = times[index - 1] ?? end;
    if (isWithin(unsettled, start, end) && !isWithin(hindered, start, end)) ms += end - start;
  }
  return { ms, isUnanswered: unsettled.some((span) => span.isUnanswered) };
}

function isWithin(spans: readonly Span[], start: number, end: number): boolean {
  return spans.some(({ from, until }) => from <= start && end <= until);
}

/** Time of the next request that isn't hindered. */
function nextTry(own: readonly ChatRequest[], from: number): number {
  const next = own.find(({ at, outcome }) => at >= from && outcome !== "hindered" && outcome !== "stopped");
  return next?.at ?? Number.POSITIVE_INFINITY;
}

/** From a message that was refused or not answered to the next one that is accepted. */
function unsettledSpans(own: readonly ChatRequest[]): readonly (Span & Pick<Block, "isUnanswered">)[] {
  const sends = own.filter(({ request, outcome }) => request === "send" && !["hindered", "stopped"].includes(outcome));
  return sends.flatMap(({ outcome, at }, index) => {
    if (outcome === "ok") return [];
    const until = sends[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    return [{ from: at, until, isUnanswered: outcome === "unanswered" }];
  });
}
