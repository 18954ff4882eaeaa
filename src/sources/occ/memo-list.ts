import { addDays, type Day, dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { validatorsOf } from "../../http/validators.ts";
import type { StatementPollResult, StatementReader } from "../official/follow-statements.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import { pollIntervalMs } from "../publishing-hours.ts";
import { FetchError } from "../web/fetch-error.ts";
import type { MemoList } from "./read-memo-list.ts";
import { OCC_READERS } from "./readers.ts";

const LIST_PATH = "/infomemo/exportmemo";
/** The list has all memos since 1997, about 60,000. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;
const PACE_MS = 1_000;
/** Days before the reading within which a memo is posted or takes effect. */
const WINDOW_DAYS = 40;
/** Factor by which polls are less frequent at night, at weekends and on holidays. */
const QUIET_FACTOR = 4;

/** Reads the list of memos, conditionally. The memos themselves are PDF files, which are only linked. */
export function createMemoReader(
  origin: string,
  { web, reader, clock, everyMs }: StatementReaderTools,
): StatementReader {
  let cached: { readonly list: MemoList; readonly validators: Readonly<Record<string, string>> } | null = null;
  return {
    name: "occ",
    intervalMs: (now) => pollIntervalMs(now, { everyMs, quietMs: QUIET_FACTOR * everyMs }),
    async read(signal): Promise<StatementPollResult> {
      const headers = { accept: "text/csv, */*;q=0.1", ...cached?.validators };
      const request = { kind: "feed", headers, maxBytes: MAX_LIST_BYTES, paceMs: PACE_MS, signal } as const;
      const answer = await web.request(`${origin}${LIST_PATH}`, request);
      if (answer.status !== 304 || cached === null) {
        const list = await reader.read(OCC_READERS, "readMemoList", answer, firstDayAt(clock.now()));
        cached = { list, validators: validatorsOf(answer) };
      }
      const { memos, problem } = cached.list;
      const failures = problem === null ? [] : [new FetchError("unreadable", `${answer.url.pathname}: ${problem}`)];
      return { items: memos, statements: memos.flatMap(({ statement }) => statement ?? []), failures };
    },
  };
}

/** First day on which a recent memo is posted or takes effect. */
export function firstDayAt(now: Instant): Day {
  return addDays(dayInZone(now, MARKET_ZONE), -WINDOW_DAYS);
}
