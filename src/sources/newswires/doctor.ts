import { isWire } from "../../domain/article/wire.ts";
import { type CheckResult, fail, pass, warn } from "../../lib/check-result.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SourceStatus } from "../../ports/source-status.ts";
import type { SourceCheckContext } from "../source-definition.ts";
import { describeCondition, initialStatus, nextStatus } from "../source-status.ts";
import { FetchError, toFetchError } from "../web/fetch-error.ts";
import type { FeedPollResult, Newswire } from "./newswire.ts";
import type { NewswireSettings } from "./settings.ts";
import { connectNewswires } from "./wires.ts";

/** Sufficient for Newsfile: nine feeds at 2 s each, then a page after 10 s. */
const READ_TIMEOUT_MS = 60_000;

/** Result of reading the feeds of a wire and one page. */
interface Probe {
  readonly status: SourceStatus;
  /** Text of the newest release, or the error of reading its page; null: the feeds have no release. */
  readonly page: string | FetchError | null;
}

/** Reads each wire once. An unreadable wire fails its check only if `service.source` permits no other data. */
export async function checkNewswires(
  settings: NewswireSettings,
  context: SourceCheckContext,
): Promise<readonly CheckResult[]> {
  const connected = connectNewswires(settings, context);
  try {
    const probes = await Promise.all(connected.wires.map((wire) => probe(wire, context.clock)));
    const statuses = probes.map(({ status }) => status);
    const replacement = replacementOf(statuses, context);
    return [summarize(statuses, context), ...probes.map((result) => checkWire(result, replacement))];
  } finally {
    await connected.close();
  }
}

async function probe(wire: Newswire, clock: Clock): Promise<Probe> {
  const deadline = AbortSignal.timeout(READ_TIMEOUT_MS);
  const result = await wire.readFeeds(deadline).catch(() => null);
  const initial = initialStatus(wire.name, clock.now());
  if (result === null) {
    const problem = `no answer within ${READ_TIMEOUT_MS / 1_000} s`;
    return { status: { ...initial, condition: "unreachable", problem }, page: null };
  }
  const status = nextStatus(initial, result, clock.now(), isWire(wire.name));
  return { status, page: await readNewest(wire, result, deadline) };
}

function readNewest(
  wire: Newswire,
  { items }: FeedPollResult,
  signal: AbortSignal,
): Promise<string | FetchError> | null {
  const [newest] = items;
  return newest === undefined ? null : wire.readPage(newest, signal).catch(toFetchError);
}

function summarize(statuses: readonly SourceStatus[], { fallback }: SourceCheckContext): CheckResult {
  if (statuses.length === 0)
    return fail(
      'data service: no feed of a news wire is configured; add one under "newswires" or set "service.source"',
    );
  const readableCount = statuses.filter(isReadable).length;
  if (readableCount > 0) return pass(`data service: embedded, ${readableCount} of ${statuses.length} news wires OK`);
  const problem = "data service: embedded, but no news wire can be read";
  if (fallback === "failure") return fail(`${problem}; check the internet connection`);
  const served = fallback === "sample" ? "sample data (invented companies)" : "nothing";
  return warn(`${problem}; it serves ${served} until a source can be read`);
}

/** Text that says which data replaces an unreadable wire; null if `service.source` permits no other data. */
function replacementOf(statuses: readonly SourceStatus[], { fallback }: SourceCheckContext): string | null {
  if (fallback === "failure") return null;
  if (statuses.some(isReadable)) return "the other wires are used";
  return fallback === "sample"
    ? "sample data is shown until a source can be read"
    : "nothing is shown until a source can be read";
}

function isReadable({ condition }: SourceStatus): boolean {
  return condition === "ok" || condition === "stale";
}

function checkWire({ status, page }: Probe, replacement: string | null): CheckResult {
  const text = `wire ${status.name}: ${describeCondition(status)}`;
  if (isReadable(status)) {
    if (page instanceof FetchError)
      return warn(`${text}; its pages can't be read (${page.message}): the summaries of its feeds are used`);
    const details = page === null ? text : `${text}, a page of ${page.length} characters`;
    return status.condition === "ok" ? pass(details) : warn(details);
  }
  if (replacement !== null) return warn(`${text}: ${replacement}`);
  return fail(`${text}; set newswires.${status.name}.feeds to [] to disable it`);
}
