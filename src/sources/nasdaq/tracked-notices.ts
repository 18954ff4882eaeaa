import type { Observation } from "../../catalog/observation.ts";
import { DAY_MS, dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { Statement } from "../official/follow-statements.ts";
import type { ReadPage, ScheduledPage } from "../official/page-schedule.ts";
import { type ListedNotice, noticeNumber } from "./notice-lists.ts";
import { isMarkedUpdated } from "./notice-terms.ts";

/** Notices are revised in place without a sign of it. */
const REREAD_MS = DAY_MS;
/** A postponed split without a date is followed for this long after the last change of its notice. */
const UNDATED_MS = 90 * DAY_MS;

/** A notice about a reverse split that is listed, or was recorded. */
export interface TrackedNotice extends ScheduledPage {
  readonly listed: ListedNotice | null;
  /** Null if it was not read in this run. */
  readonly page: ReadPage<readonly Statement[]> | null;
  /** The latest recorded revisions; one for each fund of the notice. */
  readonly recorded: readonly Observation[];
}

interface NoticeRecords {
  readonly listed: ReadonlyMap<string, ListedNotice>;
  readonly pageOf: (id: string) => TrackedNotice["page"];
  readonly recorded: ReadonlyMap<string, readonly Observation[]>;
}

/** Everything that is listed or was recorded. */
export function trackedNotices({ listed, pageOf, recorded }: NoticeRecords): readonly TrackedNotice[] {
  return [...new Set([...listed.keys(), ...recorded.keys()])].map((id) => ({
    id,
    version: listed.get(id)?.version ?? null,
    listed: listed.get(id) ?? null,
    page: pageOf(id),
    recorded: recorded.get(id) ?? [],
  }));
}

/** Notices whose pages are to be read, those that were never read first, the newest first. */
export function noticesToRead(notices: readonly TrackedNotice[], now: Instant): readonly TrackedNotice[] {
  const isUnread = (notice: TrackedNotice): boolean => lastReadAt(notice) === null;
  return notices
    .filter((notice) => isToBeRead(notice, now))
    .toSorted((a, b) => Number(isUnread(b)) - Number(isUnread(a)) || noticeNumber(b.id) - noticeNumber(a.id));
}

function isToBeRead(notice: TrackedNotice, now: Instant): boolean {
  const readAt = lastReadAt(notice);
  if (readAt === null || isUpdated(notice, readAt, now)) return true;
  return isOpen(notice, readAt, now) && now - readAt >= REREAD_MS;
}

/** When its page was last read, or when an earlier run recorded its current state. */
function lastReadAt({ page, recorded }: TrackedNotice): Instant | null {
  const times = [page?.readAt ?? null, ...recorded.map(({ observedAt }) => observedAt)].filter((time) => time !== null);
  return times.length === 0 ? null : Math.max(...times);
}

/** Whether its list shows it as updated since it was read. */
function isUpdated(notice: TrackedNotice, readAt: Instant, now: Instant): boolean {
  const { listed, page } = notice;
  if (listed === null || listed.version === null) return false;
  if (page !== null) return page.version !== listed.version;
  // An earlier run read it and may have missed the update.
  const isLater = listed.publishedAt !== null && listed.publishedAt > readAt;
  return isOpen(notice, readAt, now) && (isLater || isMarkedUpdated(listed.title));
}

/** Whether its split may have changed since it was read: a notice that was read on the ex date or later is final. */
function isOpen({ page, recorded }: TrackedNotice, readAt: Instant, now: Instant): boolean {
  const readOn = dayInZone(readAt, MARKET_ZONE);
  const stated = page?.value ?? recorded;
  const changedAt = Math.max(
    ...recorded.map(({ observedAt }) => observedAt),
    recorded.length > 0 ? 0 : (page?.readAt ?? 0),
  );
  return stated.some(({ exDate }) => (exDate === null ? now - changedAt <= UNDATED_MS : exDate > readOn));
}

export function latestByNotice(observations: Iterable<Observation>): ReadonlyMap<string, readonly Observation[]> {
  const latest = new Map<string, Observation>();
  for (const observation of observations) {
    const other = latest.get(observation.id);
    if (other === undefined || other.observedAt <= observation.observedAt) latest.set(observation.id, observation);
  }
  const byNotice = new Map<string, Observation[]>();
  for (const observation of latest.values()) {
    const [id = ""] = observation.id.split(" ");
    byNotice.set(id, [...(byNotice.get(id) ?? []), observation]);
  }
  return byNotice;
}
