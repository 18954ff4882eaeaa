import { isWire } from "../../domain/article/wire.ts";
import type { CheckResult } from "../../lib/check-result.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SourceStatus } from "../../ports/source-status.ts";
import type { SourceCheckContext } from "../source-definition.ts";
import { checkResultOf, describeCondition, initialStatus, nextStatus } from "../source-status.ts";
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

/** Reads each wire once. */
export async function checkNewswires(
  settings: NewswireSettings,
  context: SourceCheckContext,
): Promise<readonly CheckResult[]> {
  const connected = connectNewswires(settings, context);
  try {
    const probes = await Promise.all(connected.wires.map((wire) => probe(wire, context.clock)));
    return probes.map(checkWire);
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
    const failure = new FetchError("unreachable", problem);
    return { status: nextStatus(initial, { items: [], failures: [failure] }, clock.now()), page: null };
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

function checkWire({ status, page }: Probe): CheckResult {
  const text = `wire ${status.name}: ${describeCondition(status)}`;
  if (status.verdict === "down")
    return checkResultOf(status, `${text}; set newswires.${status.name}.feeds to [] to disable it`);
  if (page instanceof FetchError) {
    const consequence = `its pages can't be read (${page.message}): the summaries of its feeds are used`;
    return { ...checkResultOf(status, `${text}; ${consequence}`), status: "warn" };
  }
  return checkResultOf(status, page === null ? text : `${text}, a page of ${page.length} characters`);
}
