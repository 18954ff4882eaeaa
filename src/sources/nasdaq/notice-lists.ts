import { addDays, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { BoundedMap } from "../../lib/collections.ts";
import type { StatementReaderTools } from "../official-source.ts";
import { type FetchError, toFetchError } from "../web/fetch-error.ts";
import {
  createNoticeFeedReader,
  type ListedNotice,
  type NoticeFeedReader,
  noticeNumber,
  readArchive,
} from "./notice-list.ts";
import { titleNamesReverseSplit } from "./notice-terms.ts";
import { afterFailure, UNREAD, withPart } from "./tracked-notices.ts";

/** Days of the archive that are read: longer than the time between a notice and its split. */
const ARCHIVE_DAYS = 40;
const MAX_LISTED = 2_000;

interface ListsReading {
  /** Notices in the feed, on any subject. */
  readonly items: readonly ListedNotice[];
  readonly failures: readonly FetchError[];
  readonly unresolved: readonly FetchError[];
  /** All notices of the feed are newer than those of the previous read, so others may have been missed. */
  readonly isGap: boolean;
}

/** The lists of notices: the feed, and the archive at the start and after a gap. */
export interface NoticeLists {
  /** Notices about reverse splits, by id. */
  readonly listed: ReadonlyMap<string, ListedNotice>;
  readonly readFeed: NoticeFeedReader;
  /** Reads what is due. Failures are part of the result: the other list, and pages, may still be readable. */
  read(signal: AbortSignal): Promise<ListsReading>;
}

export function createNoticeLists(
  origin: string,
  { web, clock }: Pick<StatementReaderTools, "web" | "clock">,
): NoticeLists {
  const readFeed = createNoticeFeedReader(origin, { web, clock });
  const listed = new BoundedMap<string, ListedNotice>(MAX_LISTED);
  /** Number of the newest notice in a complete feed; 0 before the first one. */
  let newest = 0;
  let needsArchive = true;
  let archive = UNREAD;

  function list(notices: readonly ListedNotice[]): void {
    for (const notice of notices) if (titleNamesReverseSplit(notice.title)) listed.set(notice.id, notice);
  }

  function detectGap(notices: readonly ListedNotice[]): boolean {
    const numbers = notices.map(({ id }) => noticeNumber(id));
    const isGap = newest > 0 && numbers.length > 0 && Math.min(...numbers) > newest;
    newest = Math.max(newest, ...numbers);
    return isGap;
  }

  /** A failure is retried by a later reading. */
  async function fillFromArchive(signal: AbortSignal): Promise<FetchError | null> {
    const to = dayInZone(clock.now(), MARKET_ZONE);
    try {
      const from = addDays(to, -ARCHIVE_DAYS);
      const archived = await readArchive({ web, origin, from, to, attempt: archive.failures, signal });
      list(archived.filter(({ id }) => !listed.has(id)));
      needsArchive = false;
      archive = UNREAD;
    } catch (error) {
      archive = afterFailure(archive, withPart("archive", toFetchError(error)), clock.now());
    }
    return archive.error;
  }

  return {
    listed,
    readFeed,
    async read(signal) {
      const feed = await readFeed(signal).catch((error: unknown) => ({ notices: [], failure: toFetchError(error) }));
      list(feed.notices);
      // An incomplete feed doesn't show whether notices were missed.
      const isGap = feed.failure === null && detectGap(feed.notices);
      needsArchive ||= isGap;
      const archiveError = needsArchive && archive.notBefore <= clock.now() ? await fillFromArchive(signal) : null;
      const failures = [feed.failure, archiveError].filter((error) => error !== null);
      return { items: feed.notices, failures, unresolved: archive.error === null ? [] : [archive.error], isGap };
    },
  };
}
