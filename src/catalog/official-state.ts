import { type Day, dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { type CatalogObservation, noticeKey, type StatementKind } from "./catalog-observation.ts";

/** State of a split according to exchanges and regulators. */
export class OfficialState {
  readonly #noticesBySource = new Map<string, SourceNotices>();
  readonly #inForce = new Map<string, CatalogObservation>();
  #firstAnnouncement: OfficialAnnouncement | null = null;

  /** The notice that is in force, by source. If the source has cancelled all of its notices, the last cancellation. */
  get inForce(): ReadonlyMap<string, CatalogObservation> {
    return this.#inForce;
  }

  get firstAnnouncement(): OfficialAnnouncement | null {
    return this.#firstAnnouncement;
  }

  /** Applies a notice or a revision. Must be called in the order of `compareObservations`. */
  apply(observation: CatalogObservation): void {
    const { source, kind } = observation;
    const notices = this.#noticesBySource.get(source) ?? new SourceNotices();
    this.#noticesBySource.set(source, notices);
    notices.apply(observation);
    this.#inForce.set(source, notices.inForce ?? observation);
    if (kind === "announced") this.#firstAnnouncement ??= announcementBy(observation);
  }
}

/** An announcement by an exchange or regulator. */
interface OfficialAnnouncement {
  readonly notice: CatalogObservation;
  readonly publishedOn: Day;
}

/** The notices of one source about a split. */
class SourceNotices {
  readonly #firstKinds = new Map<string, StatementKind>();
  readonly #latest = new Map<string, CatalogObservation>();
  /** Applied revisions, oldest first. Revisions at the end are removed when they aren't in force, so the last one is in force. */
  readonly #applied: CatalogObservation[] = [];

  apply(observation: CatalogObservation): void {
    const key = noticeKey(observation);
    if (!this.#firstKinds.has(key)) this.#firstKinds.set(key, observation.kind);
    this.#latest.set(key, observation);
    this.#applied.push(observation);
    while (this.#applied.length > 0 && !this.#isInForce(this.#applied.at(-1))) this.#applied.pop();
  }

  /** The latest notice that is in force; undefined if all were cancelled. */
  get inForce(): CatalogObservation | undefined {
    return this.#applied.at(-1);
  }

  /**
   * Whether a revision is in force: it is the latest of its notice and does not cancel the notice. If it cancels the notice, the
   * source's other notices stay in force. A notice whose first revision is a cancellation is itself in force.
   */
  #isInForce(observation: CatalogObservation | undefined): boolean {
    if (observation === undefined) return false;
    const key = noticeKey(observation);
    const withdrawsItself = observation.kind === "cancelled" && this.#firstKinds.get(key) !== "cancelled";
    return this.#latest.get(key) === observation && !withdrawsItself;
  }
}

function announcementBy(notice: CatalogObservation): OfficialAnnouncement {
  return { notice, publishedOn: dayInZone(notice.publishedAt, MARKET_ZONE) };
}
