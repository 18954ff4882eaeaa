import type { Config } from "../config/index.ts";
import { createSplitsClient } from "../data-service/client/client.ts";
import { dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { type CheckResult, fail, pass, warn, withPrefix } from "../lib/check-result.ts";
import { systemClock } from "../lib/clock.ts";
import { formatCount } from "../messages/format.ts";
import { SILENT_LOG } from "../ports/log.ts";
import { SourceError, type SourceFailure, type SplitList } from "../ports/split-source.ts";
import { SAMPLE_DESCRIPTION } from "./startup-message.ts";

const TIMEOUT_MS = 15_000;

/** Difference of the clocks from which on a day may begin at different times. The header has a resolution of a second. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

const ADVICE: Readonly<Record<SourceFailure, string>> = {
  unreachable: "check that it runs and that SPLITS_API_URL is correct",
  timeout: "check that it is healthy and reachable from here",
  "not-allowed": "request a valid key from its operator",
  "rate-limited": "wait a while or request a higher limit",
  "server-error": "report it to its operator",
  "not-ready": "it is still loading data; try again in a minute",
  "not-found": "check SPLITS_API_URL",
  "bad-answer": "check that SPLITS_API_URL is a Reverse Stock Split Data Service",
  aborted: "check that it is healthy and reachable from here",
};

/** Checks a remote data service by reading its splits and its newest articles. */
export async function checkRemote({ url, key }: NonNullable<Config["splitsApi"]>): Promise<readonly CheckResult[]> {
  let isSample = false;
  let date: string | null = null;
  const results: CheckResult[] = [];
  const client = createSplitsClient({
    baseUrl: url,
    apiKey: key,
    id: url,
    sample: false,
    clock: systemClock,
    log: SILENT_LOG,
    limits: { retries: 0 },
    acceptsData(isMarkedSample, header) {
      isSample = isMarkedSample;
      date = header("date");
      return true;
    },
  });
  try {
    const list = await client.listSplits(AbortSignal.timeout(TIMEOUT_MS));
    results.push(describeList(url, list, isSample), ...checkClock(date));
    const today = dayInZone(systemClock.now(), MARKET_ZONE);
    await client.searchArticles(today, AbortSignal.timeout(TIMEOUT_MS));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    results.push(fail(`${url}: ${error.message}; ${ADVICE[error.failure]}`));
  } finally {
    await client.close();
  }
  return withPrefix("data service", results);
}

function describeList(url: string, { records, quarantined }: SplitList, isSample: boolean): CheckResult {
  const text = `${url} lists ${formatCount(records.length, "split")}`;
  if (quarantined.length > 0) {
    const rows = `${formatCount(quarantined.length, "row")} can't be used (first reason: ${quarantined[0]?.reason})`;
    return warn(`${text}, and ${rows}`);
  }
  if (isSample) return warn(`${text}; they are ${SAMPLE_DESCRIPTION}`);
  return records.length === 0 ? warn(`${text}: it may still be loading its data, or have none`) : pass(text);
}

/** `date`: the header of that name; null if there is none. */
function checkClock(date: string | null): readonly CheckResult[] {
  const differenceMs = Date.parse(date ?? "") - systemClock.now();
  if (!(Math.abs(differenceMs) > MAX_CLOCK_DIFFERENCE_MS)) return [];
  const seconds = Math.round(Math.abs(differenceMs) / 1_000);
  return [
    warn(
      `its clock is ${seconds} s ${differenceMs > 0 ? "ahead of" : "behind"} this machine's; synchronize both clocks (NTP)`,
    ),
  ];
}
