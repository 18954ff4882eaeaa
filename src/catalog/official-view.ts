import { type Day, dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import type { CatalogObservation, StatementKind } from "./catalog-observation.ts";
import { compareObservations, noticeKey } from "./catalog-observation.ts";

/** A notice in its latest revision. */
interface RevisedNotice {
  readonly key: string;
  readonly firstKind: StatementKind;
  readonly current: CatalogObservation;
}

/** What exchanges and regulators state about a split. */
export interface OfficialView {
  readonly noticesBySource: ReadonlyMap<string, readonly RevisedNotice[]>;
  /** The notice of each source that is in force. */
  readonly inForce: ReadonlyMap<string, CatalogObservation>;
  readonly firstAnnouncement: OfficialAnnouncement | null;
}

/** The first announcement. */
interface OfficialAnnouncement {
  readonly notice: CatalogObservation;
  readonly publishedOn: Day;
}

export const NO_NOTICES: OfficialView = { noticesBySource: new Map(), inForce: new Map(), firstAnnouncement: null };

/** Applies a notice or its revision. They must be applied in the order of `compareObservations`. */
export function applyToOfficialView(view: OfficialView, observation: CatalogObservation): OfficialView {
  const { source, kind } = observation;
  const notices = withRevision(view.noticesBySource.get(source) ?? [], observation);
  return {
    noticesBySource: new Map(view.noticesBySource).set(source, notices),
    inForce: new Map(view.inForce).set(source, noticeInForce(notices, observation)),
    firstAnnouncement: view.firstAnnouncement ?? (kind === "announced" ? announcementBy(observation) : null),
  };
}

function withRevision(notices: readonly RevisedNotice[], current: CatalogObservation): readonly RevisedNotice[] {
  const key = noticeKey(current);
  const known = notices.find((notice) => notice.key === key);
  if (!known) return [...notices, { key, firstKind: current.kind, current }];
  return notices.map((notice) => (notice === known ? { ...notice, current } : notice));
}

/**
 * The notice of a source that is in force. A notice that was cancelled after its publication withdraws only itself: another
 * one that replaced it remains in force. A notice that is published as a cancellation withdraws the others.
 */
function noticeInForce(notices: readonly RevisedNotice[], latest: CatalogObservation): CatalogObservation {
  const remaining = notices.filter(
    ({ firstKind, current }) => current.kind !== "cancelled" || firstKind === "cancelled",
  );
  return (
    remaining
      .map(({ current }) => current)
      .toSorted(compareObservations)
      .at(-1) ?? latest
  );
}

function announcementBy(notice: CatalogObservation): OfficialAnnouncement {
  return { notice, publishedOn: dayInZone(notice.publishedAt, MARKET_ZONE) };
}
