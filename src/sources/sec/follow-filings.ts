import { SEC } from "../../catalog/release.ts";
import { addDays, type Day, dayInZone, HOUR_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { BoundedMap } from "../../lib/collections.ts";
import { createListeners } from "../../lib/listeners.ts";
import type { MonotonicTime } from "../../ports/clock.ts";
import type { SourceStatus } from "../../ports/source-status.ts";
import { nextRetry, type Retry } from "../official/page-schedule.ts";
import { pollIntervalMs } from "../publishing-hours.ts";
import type { OpenSource, SourceParts } from "../source-definition.ts";
import {
  countFaults,
  type DocumentCounts,
  initialStatus,
  logStatus,
  nextStatus,
  type SourcePollResult,
  withDocument,
} from "../source-status.ts";
import { FetchError, toFetchError } from "../web/fetch-error.ts";
import type { Edgar } from "./edgar.ts";
import { type Filing, folderUrl, mayReportSplit } from "./filing.ts";
import { isDocumentFailure, readFiling } from "./read-filing.ts";

const FORMS = ["8-K", "6-K"] as const;
/** The full-text search is slower than the list of the latest filings, but finds all filings of a day. */
const SEARCH_INTERVAL_MS = 10 * MINUTE_MS;
/** Days that the first search covers: the splits in older filings have usually taken effect. */
const FIRST_SEARCH_DAYS = 7;
/** Days after today that a search covers: a filing made in the evening has the date of the next working day. */
const DAYS_AHEAD = 4;
/** Hours in New York in which filings are made, in minutes of the day. */
const FILING_HOURS = { from: 6 * 60, to: 22 * 60 } as const;
/** Factor of the poll interval at night and on days without filings. */
const QUIET_FACTOR = 10;
/** Maximum number of tries per filing. They take about 14 hours. */
const MAX_TRIES = 20;
/** Maximum number of tries, about half an hour, for a missing or unreadable document: EDGAR may list it before serving it. */
const MAX_DOCUMENT_TRIES = 6;
/** Number of tries, about half an hour, after which a text is used without the filer's symbol. */
const MAX_FILER_TRIES = 6;
const MAX_RETRY_MS = HOUR_MS;
/** More filings than are made in a week. */
const MAX_TRACKED = 20_000;

export interface FollowFilingsParts extends Pick<SourceParts, "releases" | "directory" | "reader" | "clock" | "log"> {
  readonly edgar: Edgar;
  /** Origin of the archives. */
  readonly origin: string;
  readonly everyMs: number;
}

/** Time until the next poll: longer at night and on days without filings. */
export function filingsIntervalMs(now: Instant, everyMs: number): number {
  return pollIntervalMs(now, { everyMs, quietMs: QUIET_FACTOR * everyMs, hours: FILING_HOURS });
}

/** A filing that is still to be read. */
interface WaitingFiling {
  readonly filing: Filing;
  /** Null before the first attempt. */
  readonly retry: Retry | null;
}

/** Polls the lists of filings, and reads the filings that may be about a reverse split, the newest first. */
export function followFilings(parts: FollowFilingsParts): OpenSource {
  return new FilingFollower(parts);
}

class FilingFollower implements OpenSource {
  readonly #parts: FollowFilingsParts;
  readonly #stopping = new AbortController();
  readonly #listeners = createListeners();
  readonly onChange = this.#listeners.add;
  /** By `keyOf`, because the latest filings and the search may both contain a filing, but with different documents. */
  readonly #waiting = new Map<string, WaitingFiling>();
  readonly #seen = new BoundedMap<string, true>(MAX_TRACKED);
  /** Documents that were read in this run, whether or not they name a split. */
  readonly #readUrls = new BoundedMap<string, true>(MAX_TRACKED);
  /** Forms whose latest filings were read in this run. */
  readonly #readForms = new Set<string>();
  readonly #ended: Promise<void>;
  #status: SourceStatus;
  /** Index pages and documents that were requested since the last poll. */
  #documents: DocumentCounts = NO_DOCUMENTS;
  #searchedAt: MonotonicTime = Number.NEGATIVE_INFINITY;
  /** Day of the last search; null before the first one. */
  #searchedOn: Day | null = null;
  /** The last search, if it didn't read all results. The next search then starts on the same day. */
  #partialSearch: { readonly firstDay: Day; readonly failure: FetchError } | null = null;

  constructor(parts: FollowFilingsParts) {
    this.#parts = parts;
    this.#status = initialStatus(SEC, parts.clock.now());
    this.#ended = this.#follow();
  }

  statuses(): readonly SourceStatus[] {
    return [this.#status];
  }

  hasUntriedPages(): boolean {
    return [...this.#waiting.values()].some(({ retry }) => retry === null);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  async #follow(): Promise<void> {
    const { clock, everyMs, log } = this.#parts;
    const { signal } = this.#stopping;
    let nextPollAt = clock.monotonic();
    while (!signal.aborted) {
      const now = clock.monotonic();
      const next = this.#nextWaiting();
      if (now >= nextPollAt) {
        nextPollAt = now + filingsIntervalMs(clock.now(), everyMs);
        await this.#poll().catch((error: unknown) => log.error("source follow failed", { source: SEC, error }));
      } else if (next !== null && dueAt(next) <= now) await this.#read(next);
      else await clock.sleep(Math.min(nextPollAt, next === null ? nextPollAt : dueAt(next)) - now, signal);
    }
  }

  /** Reads the lists once. */
  async #poll(): Promise<void> {
    const { clock } = this.#parts;
    const result = await this.#readLists();
    if (this.#stopping.signal.aborted) return;
    const previous = this.#status;
    this.#status = nextStatus(previous, { ...result, documents: this.#documents }, clock.now(), true);
    this.#documents = NO_DOCUMENTS;
    logStatus(previous, this.#status, this.#parts.log);
    this.#listeners.notify();
  }

  async #readLists(): Promise<SourcePollResult> {
    const filings: Filing[] = [];
    const failures: FetchError[] = [];
    let gaps = 0;
    const attempt = async (work: () => Promise<void>): Promise<void> => {
      // A block applies to all hosts of the SEC.
      if (failures.some(({ failure }) => failure === "rate-limited")) return;
      await work().catch((error: unknown) => failures.push(toFetchError(error)));
    };
    for (const form of FORMS) {
      await attempt(async () => {
        const { filings: latest, hasGap } = await this.#latest(form);
        filings.push(...latest);
        gaps += hasGap ? 1 : 0;
      });
    }
    const isSearchDue = this.#parts.clock.monotonic() - this.#searchedAt >= SEARCH_INTERVAL_MS;
    // The search also finds the filings of a gap and of a list that can't be read.
    if (isSearchDue || gaps > 0 || failures.length > 0) {
      await attempt(async () => {
        filings.push(...(await this.#search()));
        if (this.#partialSearch) failures.push(this.#partialSearch.failure);
      });
    }
    const unresolved = this.#partialSearch ? [this.#partialSearch.failure] : [];
    const found = filings.filter((filing) => this.#add(filing)).length;
    return {
      items: filings,
      failures,
      unresolved,
      newItemCount: found,
      gaps,
      requests: this.#parts.edgar.requestCount,
    };
  }

  async #latest(form: string) {
    const { edgar } = this.#parts;
    const isKnown = (filing: Filing): boolean => this.#seen.has(keyOf(filing));
    const read = await edgar.latest(form, this.#readForms.has(form) ? isKnown : null, this.#stopping.signal);
    this.#readForms.add(form);
    return read;
  }

  async #search(): Promise<readonly Filing[]> {
    const { edgar, clock } = this.#parts;
    const today = dayInZone(clock.now(), MARKET_ZONE);
    const firstDay = this.#firstSearchDay(today);
    const { filings, failure } = await edgar.search(firstDay, addDays(today, DAYS_AHEAD), this.#stopping.signal);
    this.#partialSearch = failure && { firstDay, failure };
    this.#searchedAt = clock.monotonic();
    this.#searchedOn = today;
    return filings;
  }

  /**
   * First day of the next search: the same day as the last search if that was partial, else the day before the last search.
   * The first search of a run covers a week, because an earlier run may have left filings unread.
   */
  #firstSearchDay(today: Day): Day {
    const earliest = addDays(today, -FIRST_SEARCH_DAYS);
    const dayBeforeLast = this.#searchedOn === null ? earliest : addDays(this.#searchedOn, -1);
    const firstDay = this.#partialSearch?.firstDay ?? dayBeforeLast;
    // The clock was wrong during the last search if the resulting day isn't in the past.
    return firstDay > earliest && firstDay < today ? firstDay : earliest;
  }

  /** Queues a filing that may report a split and is not read yet. Returns whether the filing was found for the first time. */
  #add(filing: Filing): boolean {
    const key = keyOf(filing);
    if (this.#seen.has(key)) return false;
    this.#seen.set(key, true);
    if (!mayReportSplit(filing) || this.#isAlreadyRead(filing)) return true;
    this.#waiting.set(key, { filing, retry: null });
    return true;
  }

  /** Whether, in this run or an earlier one, all documents that the search found were read, or one that reports a split. */
  #isAlreadyRead(filing: Filing): boolean {
    const urls = filing.hits?.map(({ file }) => folderUrl(this.#parts.origin, filing) + file) ?? [];
    return urls.some((url) => this.#isReport(url)) || (urls.length > 0 && urls.every((url) => this.#isRead(url)));
  }

  /** Whether the document was read and reports a split. */
  #isReport(url: string): boolean {
    return (this.#parts.releases.get(url)?.text ?? "") !== "";
  }

  #isRead(url: string): boolean {
    return this.#readUrls.has(url) || this.#parts.releases.get(url) !== undefined;
  }

  /** The first due filing in the order of `compareDue`. If none is due, the filing that becomes due first. */
  #nextWaiting(): WaitingFiling | null {
    const now = this.#parts.clock.monotonic();
    const waiting = [...this.#waiting.values()];
    const due = waiting.filter((filing) => dueAt(filing) <= now);
    const [first] = due.toSorted(compareDue);
    if (first) return first;
    return waiting.toSorted((a, b) => dueAt(a) - dueAt(b))[0] ?? null;
  }

  async #read(next: WaitingFiling): Promise<void> {
    try {
      await this.#readDocuments(next);
      this.#waiting.delete(keyOf(next.filing));
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#retry(next, error);
    }
    this.#listeners.notify();
  }

  #retry({ filing, retry: previous }: WaitingFiling, error: unknown): void {
    const { log, clock } = this.#parts;
    const retry = nextRetry(previous, toFetchError(error), clock.monotonic(), MAX_RETRY_MS);
    const { failures, error: fault } = retry;
    log.warn("filing read failed", { source: SEC, filing: filing.accession, tries: failures, problem: fault.message });
    // A failure to save a release is not a fault of the source.
    if (error instanceof FetchError) {
      this.#status = { ...this.#status, faults: countFaults(this.#status.faults, [error]) };
      this.#count({ isRead: false, isRepeated: previous !== null });
    }
    if (failures >= (isDocumentFailure(error) ? MAX_DOCUMENT_TRIES : MAX_TRIES)) this.#waiting.delete(keyOf(filing));
    else this.#waiting.set(keyOf(filing), { filing, retry });
  }

  async #readDocuments({ filing, retry }: WaitingFiling): Promise<void> {
    const { edgar, clock, releases, reader, directory, log } = this.#parts;
    const { signal } = this.#stopping;
    const documents = readFiling(filing, {
      edgar,
      isRead: (url) => this.#isRead(url),
      isReport: (url) => this.#isReport(url),
      reader,
      directory,
      needsFiler: triesOf(retry) + 1 < MAX_FILER_TRIES,
      now: () => clock.now(),
      signal,
    });
    let isIndexOnly = true;
    for await (const { url, release } of documents) {
      if (signal.aborted) return;
      isIndexOnly = false;
      this.#count({ isRead: true, isRepeated: false });
      if (release !== null) {
        await releases.put([release]);
        log.info("exhibit read", { source: SEC, url, wire: release.source, kind: release.facts?.kind });
      }
      this.#readUrls.set(url, true);
    }
    if (isIndexOnly) this.#count({ isRead: true, isRepeated: false });
  }

  #count(document: Parameters<typeof withDocument>[1]): void {
    this.#documents = withDocument(this.#documents, document);
  }
}

const NO_DOCUMENTS: DocumentCounts = { read: 0, unreadable: 0 };

function keyOf({ accession, hits }: Filing): string {
  return hits === null ? accession : `${accession} ${hits.map(({ file }) => file).join(" ")}`;
}

function triesOf(retry: Retry | null): number {
  return retry?.failures ?? 0;
}

/** A filing that was not tried yet is due immediately. */
function dueAt({ retry }: WaitingFiling): MonotonicTime {
  return retry?.notBefore ?? Number.NEGATIVE_INFINITY;
}

/**
 * Order in which due filings are read: fewest failed tries first; then filings from the list of the latest filings before
 * filings from the search; then newest first.
 */
function compareDue(a: WaitingFiling, b: WaitingFiling): number {
  return (
    triesOf(a.retry) - triesOf(b.retry) ||
    Number(isFromSearch(a)) - Number(isFromSearch(b)) ||
    (b.filing.filedAt ?? 0) - (a.filing.filedAt ?? 0)
  );
}

function isFromSearch({ filing }: WaitingFiling): boolean {
  return filing.hits !== null;
}
