import { isWire } from "../../domain/article/wire.ts";
import { type CheckResult, fail, pass, warn } from "../../lib/check-result.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SourceCheckContext } from "../source-definition.ts";
import { describeCondition, initialStatus, nextStatus, type SourceStatus } from "../source-status.ts";
import { FetchError, toFetchError } from "../web/fetch-error.ts";
import type { FeedsReading, Newswire } from "./newswire.ts";
import type { NewswireSettings } from "./settings.ts";
import { connectNewswires } from "./wires.ts";

/** Newsfile has nine feeds with two seconds in between, and its pages need ten. */
const READ_TIMEOUT_MS = 60_000;

/** Result of reading the feeds of a wire and one page. */
interface Probe {
  readonly status: SourceStatus;
  /** Text of the newest release, or why its page can't be read; null if there is none. */
  readonly page: string | FetchError | null;
}

/** Reads each wire once. A wire that fails is a failed check only if `service.source` permits no other data. */
export async function checkNewswires(
  settings: NewswireSettings,
  context: SourceCheckContext,
): Promise<readonly CheckResult[]> {
  const connected = connectNewswires(settings, context);
  try {
    const probes = await Promise.all(connected.wires.map((wire) => probe(wire, context.clock)));
    const states = probes.map(({ status }) => status);
    return [summarize(states, context), ...probes.map((probed) => checkWire(probed, replacementOf(states, context)))];
  } finally {
    await connected.close();
  }
}

async function probe(wire: Newswire, clock: Clock): Promise<Probe> {
  const deadline = AbortSignal.timeout(READ_TIMEOUT_MS);
  const reading = await wire.readFeeds(deadline).catch(() => null);
  const before = initialStatus(wire.name, clock.now());
  if (reading === null) {
    const problem = `no answer within ${READ_TIMEOUT_MS / 1_000} s`;
    return { status: { ...before, condition: "unreachable", problem }, page: null };
  }
  const status = nextStatus(before, reading, clock.now(), isWire(wire.name));
  return { status, page: await readNewest(wire, reading, deadline) };
}

function readNewest(wire: Newswire, { items }: FeedsReading, signal: AbortSignal): Promise<string | FetchError> | null {
  const [newest] = items;
  return newest === undefined ? null : wire.readPage(newest, signal).catch(toFetchError);
}

function summarize(states: readonly SourceStatus[], { fallback }: SourceCheckContext): CheckResult {
  if (states.length === 0)
    return fail("data service: no feed of a news wire is configured; add one under newswires or set service.source");
  const read = states.filter(isRead).length;
  if (read > 0) return pass(`data service: embedded, ${read} of ${states.length} news wires OK`);
  const none = "data service: embedded, but no news wire can be read";
  if (fallback === null) return fail(`${none}; check the connection to the internet`);
  const served = fallback === "sample" ? "sample data (invented companies)" : fallback;
  return warn(`${none}; it serves ${served} until one can`);
}

/** Data that replaces an unreadable wire; null if none may. */
function replacementOf(states: readonly SourceStatus[], { fallback }: SourceCheckContext): string | null {
  if (fallback === null) return null;
  if (states.some(isRead)) return "the other wires are used";
  return fallback === "sample" ? "sample data is shown" : "nothing is shown";
}

function isRead({ condition }: SourceStatus): boolean {
  return condition === "ok" || condition === "stale";
}

function checkWire({ status, page }: Probe, replacement: string | null): CheckResult {
  const text = `wire ${status.name}: ${describeCondition(status)}`;
  if (isRead(status)) {
    if (page instanceof FetchError)
      return warn(`${text}; its pages can't be read (${page.message}): the summaries of its feeds are used`);
    const read = page === null ? text : `${text}, a page of ${page.length} characters`;
    return status.condition === "ok" ? pass(read) : warn(read);
  }
  if (replacement !== null) return warn(`${text}: ${replacement}`);
  return fail(`${text}; set newswires.${status.name}.feeds to [] to disable it`);
}
