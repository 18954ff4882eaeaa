import type { TickerMention } from "../domain/article/article.ts";
import { foldName } from "../domain/article/company-name.ts";
import { type Exchange, followsUsTradingDays, sharesSymbols } from "../domain/split/exchange.ts";
import type { Instant } from "../domain/time/day.ts";
import type { ExDateBasis } from "../extraction/facts.ts";
import { compareText, groupBy } from "../lib/collections.ts";
import type { Observation } from "./observation.ts";
import { isOfficialSource } from "./precedence.ts";

/** Kind of an observation that creates or changes a split. */
export type StatementKind = Exclude<Observation["kind"], "confirmed">;

/** An observation with the values by which the catalog sorts it and assigns it to a split. */
export interface CatalogObservation extends Observation {
  readonly kind: StatementKind;
  /** Stated by an exchange or regulator, not by a release or filing. */
  readonly isOfficial: boolean;
  /** Company that speaks in a release; null for a notice, or if it is unknown. */
  readonly subject: string | null;
  /** The company that made a filing; null for a notice or a wire's release. */
  readonly filer: Filer | null;
  /** Whether a release or filing is the issuer's own; false before `attributeReleases`. */
  readonly isOwn: boolean;
  /** Name of another company than the issuer that a release states for the split; null before `attributeReleases`. */
  readonly otherCompany: string | null;
  /** What the ex date is derived from; null without one. An exchange's effective date is the first trading day. */
  readonly exDateBasis: ExDateBasis | null;
  /** True for a release that reinstates a withdrawn split; its kind is `announced`. */
  readonly reinstates: boolean;
  /** True if `issuedOn` is the date in the statement, false if it is the day of publication. */
  readonly hasDateline: boolean;
  /** True if the wire republished an old release. It is sorted before the other observations of its day. */
  readonly isRepost: boolean;
  /** Time that orders the observations of one day. 0 for a release without a time. */
  readonly sortAt: Instant;
  /** Normalized company name; empty if none is stated. */
  readonly companyKey: string;
}

/** A company that files with the SEC. */
export interface Filer {
  readonly cik: string;
  /** Whether the SEC lists the symbol of the split as this company's. */
  readonly hasSymbol: boolean;
}

/** Compares observations by their dates. The other fields make the order independent of the order of arrival. */
export function compareObservations(a: CatalogObservation, b: CatalogObservation): number {
  return (
    compareText(a.issuedOn, b.issuedOn) ||
    Number(b.isRepost) - Number(a.isRepost) ||
    a.sortAt - b.sortAt ||
    compareText(a.url, b.url) ||
    compareText(a.source, b.source) ||
    compareText(a.id, b.id) ||
    a.observedAt - b.observedAt
  );
}

/** Converts stored observations for the catalog. Omits confirmations, and revisions that change no term. */
export function officialStatements(observations: Iterable<Observation>): readonly CatalogObservation[] {
  const statements = [...observations].flatMap(toStatements);
  return [...groupBy(statements, noticeKey).values()].flatMap(revisionsOf);
}

/** Returns the key that all revisions of a notice share. It is unambiguous, because source ids contain no spaces. */
export function noticeKey({ source, id }: Observation): string {
  return `${source} ${id}`;
}

/** The latest revision of each confirmation. One without an ex date confirms nothing: the source has taken it back. */
export function latestConfirmations(observations: Iterable<Observation>): readonly Observation[] {
  const confirmations = [...observations].filter(({ kind }) => kind === "confirmed");
  const inOrder = confirmations.toSorted((a, b) => a.observedAt - b.observedAt);
  return [...new Map(inOrder.map((observation) => [noticeKey(observation), observation])).values()];
}

/** Number of latest revisions that are kept per notice. A source may alternate between two statements for weeks. */
const MAX_KEPT_REVISIONS = 20;
/** Number of distinct earlier statements per notice whose first revision is kept. */
const MAX_KEPT_STATEMENTS = 20;

/**
 * Returns the revisions that can be purged: all except the latest ones, and except the first revision of each distinct
 * statement, whose dates the catalog needs.
 * @param revisions All revisions of one notice, in the order of observation.
 */
export function purgeableRevisions(revisions: readonly Observation[]): readonly Observation[] {
  const earlier = revisions.slice(0, -MAX_KEPT_REVISIONS);
  const firstOfEach = [...groupBy(earlier, termsKey).values()].slice(0, MAX_KEPT_STATEMENTS).map(([first]) => first);
  return earlier.filter((revision) => !firstOfEach.includes(revision));
}

export function companyKeyOf(company: string | null): string {
  return company === null ? "" : foldName(company).join(" ");
}

/** True if both listings are of one security, possibly on different exchanges of one market. An unknown exchange matches any. */
export function isSameSecurity(a: TickerMention, b: TickerMention): boolean {
  if (a.ticker !== b.ticker) return false;
  return a.exchange === null || b.exchange === null || sharesSymbols(a.exchange, b.exchange);
}

/** Returns the market within which a symbol identifies one security. All US exchanges are one market. */
export function marketOf(exchange: Exchange): string {
  return followsUsTradingDays(exchange) ? "US" : exchange;
}

function toStatements(observation: Observation): readonly CatalogObservation[] {
  const { kind, company, publishedAt: sortAt, source } = observation;
  if (kind === "confirmed") return [];
  const isOfficial = isOfficialSource(source);
  const companyKey = companyKeyOf(company);
  const exDateBasis = observation.exDate && "trading";
  return [
    {
      ...observation,
      kind,
      isOfficial,
      subject: null,
      filer: null,
      isOwn: false,
      otherCompany: null,
      exDateBasis,
      reinstates: false,
      hasDateline: true,
      isRepost: false,
      sortAt,
      companyKey,
    },
  ];
}

/** Sorts the revisions of one notice by time of observation, whatever dates they state. Omits those that change no term. */
function revisionsOf(observed: readonly CatalogObservation[]): readonly CatalogObservation[] {
  const sorted = observed.toSorted(
    (a, b) => a.observedAt - b.observedAt || compareText(JSON.stringify(a), JSON.stringify(b)),
  );
  const revisions: CatalogObservation[] = [];
  for (const next of sorted) {
    const last = revisions.at(-1);
    if (last === undefined) revisions.push(next);
    else if (termsKey(last) !== termsKey(next)) revisions.push(revisionAfter(last, next));
  }
  return revisions;
}

/** Gives a revision a date that is not before the date of the statement that it replaces. */
function revisionAfter(last: CatalogObservation, next: CatalogObservation): CatalogObservation {
  const issuedOn = next.issuedOn < last.issuedOn ? last.issuedOn : next.issuedOn;
  return { ...next, issuedOn, sortAt: Math.max(last.sortAt, next.sortAt, next.observedAt) };
}

function termsKey({ kind, listings, company, ratio, exDate, newCusip }: Observation): string {
  return JSON.stringify([kind, listings, company, ratio, exDate, newCusip]);
}
