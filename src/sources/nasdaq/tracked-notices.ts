import type { Observation } from "../../catalog/observation.ts";
import { DAY_MS, dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { ReadPage, ScheduledPage } from "../official/page-schedule.ts";
import type { Statement } from "../official/statement.ts";
import { noticeNumber } from "./notice-id.ts";
import type { ListedNotice } from "./read-lists.ts";

/** Interval between reads of an open notice: Nasdaq revises notices in place, often without marking them. */
const REREAD_INTERVAL_MS = DAY_MS;
/** Period after the last change of a notice during which a split without an ex date is followed. */
const UNDATED_PERIOD_MS = 90 * DAY_MS;

/** A notice about a reverse split, from the current lists or from the records. */
export interface TrackedNotice extends ScheduledPage {
  readonly listed: ListedNotice | null;
  /** Null if the page was not read in this run. */
  readonly page: ReadPage<readonly Statement[]> | null;
  /** Latest recorded revision of each statement. A notice about several funds has one statement per fund. */
  readonly recorded: readonly Observation[];
}

interface NoticeRecords {
  readonly listed: ReadonlyMap<string, ListedNotice>;
  readonly pageOf: (id: string) => TrackedNotice["page"];
  readonly recorded: ReadonlyMap<string, readonly Observation[]>;
}

/** Merges the listed and the recorded notices by id. */
export function trackedNotices({ listed, pageOf, recorded }: NoticeRecords): readonly TrackedNotice[] {
  return [...new Set([...listed.keys(), ...recorded.keys()])].map((id) => ({
    id,
    version: listed.get(id)?.version ?? null,
    listed: listed.get(id) ?? null,
    page: pageOf(id),
    recorded: recorded.get(id) ?? [],
  }));
}

/** Returns the notices whose pages are due: first the unread ones, then the others, each newest first. */
export function noticesToRead(notices: readonly TrackedNotice[], now: Instant): readonly TrackedNotice[] {
  const isUnread = (notice: TrackedNotice): boolean => lastReadAt(notice, now) === null;
  return notices
    .filter((notice) => isDue(notice, now))
    .toSorted((a, b) => Number(isUnread(b)) - Number(isUnread(a)) || noticeNumber(b.id) - noticeNumber(a.id));
}

function isDue(notice: TrackedNotice, now: Instant): boolean {
  const readAt = lastReadAt(notice, now);
  if (readAt === null || isUpdated(notice, readAt, now)) return true;
  return isOpen(notice, readAt, now) && now - readAt >= REREAD_INTERVAL_MS;
}

/** Time of the last read of the page or of the latest record; null if there is neither. Ignores times in the future. */
function lastReadAt({ page, recorded }: TrackedNotice, now: Instant): Instant | null {
  const times = [page?.readAt ?? now + 1, ...recorded.map(({ observedAt }) => observedAt)].filter(
    (time) => time <= now,
  );
  return times.length === 0 ? null : Math.max(...times);
}

/** Whether the list shows the notice as updated since its page was read. */
function isUpdated(notice: TrackedNotice, readAt: Instant, now: Instant): boolean {
  const { listed, page } = notice;
  if (listed === null || listed.version === null) return false;
  if (page !== null) return page.version !== listed.version;
  // An earlier run read the page and may have missed the update.
  const isLater = listed.publishedAt !== null && listed.publishedAt > readAt;
  return isOpen(notice, readAt, now) && (isLater || listed.isMarkedUpdated);
}

/** Whether the split may have changed since the page was read. A page that was read on the ex date or later is final. */
function isOpen({ page, recorded }: TrackedNotice, readAt: Instant, now: Instant): boolean {
  const readOn = dayInZone(readAt, MARKET_ZONE);
  const statements = page?.value ?? recorded;
  const changedAt = Math.max(
    ...recorded.map(({ observedAt }) => observedAt),
    recorded.length > 0 ? 0 : (page?.readAt ?? 0),
  );
  return statements.some(({ exDate }) => (exDate === null ? now - changedAt <= UNDATED_PERIOD_MS : exDate > readOn));
}

/** Latest revision of each statement, grouped by the id of the notice, which is the first word of a statement's id. */
export function latestByNotice(observations: Iterable<Observation>): ReadonlyMap<string, readonly Observation[]> {
  const latest = new Map<string, Observation>();
  for (const observation of observations) {
    const previous = latest.get(observation.id);
    if (previous === undefined || previous.observedAt <= observation.observedAt)
      latest.set(observation.id, observation);
  }
  const byNotice = new Map<string, Observation[]>();
  for (const observation of latest.values()) {
    const [id = ""] = observation.id.split(" ");
    byNotice.set(id, [...(byNotice.get(id) ?? []), observation]);
  }
  return byNotice;
}
