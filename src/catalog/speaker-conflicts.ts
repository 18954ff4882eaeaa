import { isSameRatio, type Ratio, ratioCode } from "../domain/split/ratio.ts";
import type { Day } from "../domain/time/day.ts";
import { type CatalogObservation, companyKeyOf } from "./catalog-observation.ts";
import type {
  CatalogFact,
  CatalogSplitStatus,
  ComparedTerm,
  NotIssuerConflict,
  SpeakerConflict,
  StillListedConflict,
  TermFacts,
} from "./catalog-split.ts";
import { isSameFirstDay } from "./conflicts.ts";
import type { SplitDraft } from "./split-draft.ts";
import { exDateNotice, hasAuthority, suppliedTerms, toFact } from "./split-terms.ts";

/** Returns what releases of others state that isn't applied or that nobody else states, and what an exchange still lists. */
export function speakerConflicts(split: SplitDraft, facts: TermFacts): readonly SpeakerConflict[] {
  return [...stillListed(split), ...unconfirmed(split), ...notApplied(split, facts)];
}

/**
 * Returns a sentence without a capital letter and a period.
 * @param labelOf Returns the display name of a source.
 */
export function describeSpeakerConflict(
  conflict: SpeakerConflict,
  labelOf: (source: string) => string,
  formatDay: (day: Day) => string = (day) => day,
): string {
  const day = formatDay(conflict.day);
  switch (conflict.kind) {
    case "not-issuer":
      return `a release of ${day} by ${speakerName(conflict)} ${CLAIMS[conflict.claim]}; it is not applied`;
    case "unconfirmed":
      return `neither an exchange nor the issuer states ${conflict.term === null ? "the split" : SUPPLIED_TERMS[conflict.term]}, only a release of ${day} by ${conflict.subject ?? "an unknown company"}`;
    case "still-listed":
      return `the issuer ${conflict.status} the split on ${day}; ${labelOf(conflict.listedSource)} still lists it`;
  }
}

function speakerName({ subject }: NotIssuerConflict): string {
  return subject === null ? "an unknown company" : `${subject}, which is not known as the issuer,`;
}

const CLAIMS: Readonly<Record<NotIssuerConflict["claim"], string>> = {
  cancelled: "says that the split is cancelled",
  postponed: "says that the split is postponed",
  terms: "states other terms",
  company: "states another company",
};

const SUPPLIED_TERMS: Readonly<Record<ComparedTerm, string>> = {
  ratio: "the ratio",
  exDate: "the ex date",
  newCusip: "the new CUSIP",
};

/** The issuer's withdrawal prevails over the notice of an exchange until the exchange revises it. */
function stillListed({ issuer, official, terms: { status } }: SplitDraft): readonly StillListedConflict[] {
  const withdrawal = issuer?.events.findLast(({ kind }) => kind === status);
  const notice = exDateNotice(official);
  if (status === "announced" || withdrawal === undefined || issuer?.status !== status) return [];
  if (notice === undefined || notice.kind === "cancelled" || notice.exDate === null) return [];
  const { day, url } = withdrawal;
  return [{ kind: "still-listed", day, url, status, listedUrl: notice.url, listedSource: notice.source }];
}

function unconfirmed(split: SplitDraft): readonly SpeakerConflict[] {
  const [first] = split.otherReleases;
  if (!hasAuthority(split)) return first === undefined ? [] : [{ kind: "unconfirmed", ...originOf(first), term: null }];
  return suppliedTerms(split).map(([term, release]) => ({ kind: "unconfirmed", ...originOf(release), term }));
}

/** Compares the last release of each speaker with the split. */
function notApplied(split: SplitDraft, facts: TermFacts): readonly NotIssuerConflict[] {
  const { otherReleases, terms, observations } = split;
  if (otherReleases.length === 0) return [];
  const authorities = observations.filter(({ isOfficial, isOwn }) => isOfficial || isOwn);
  const current: CurrentTerms = {
    status: terms.status,
    ratio: facts.ratio[0],
    exDate: facts.exDate[0],
    statedRatios: new Set(authorities.map(({ ratio }) => ratio && ratioCode(ratio))),
    statedDates: new Set(authorities.map(({ exDate }) => exDate)),
  };
  const lastOfEach = new Map(otherReleases.map((release) => [speakerKey(release), release]));
  return [...lastOfEach.values()].flatMap((release) => {
    const claim = claimOf(release, current);
    return claim === null ? [] : [{ kind: "not-issuer", ...originOf(release), claim }];
  });
}

/** A release whose speaker is unknown is compared on its own. */
function speakerKey({ subject, id }: CatalogObservation): string {
  return subject === null ? `release ${id}` : `company ${companyKeyOf(subject)}`;
}

/** Status and terms of a split, with all that an exchange or the issuer has ever stated. */
interface CurrentTerms {
  readonly status: CatalogSplitStatus;
  readonly ratio: CatalogFact<Ratio> | undefined;
  readonly exDate: CatalogFact<Day> | undefined;
  readonly statedRatios: ReadonlySet<string | null>;
  readonly statedDates: ReadonlySet<Day | null>;
}

/** Returns what a release states differently; null if nothing. */
function claimOf(release: CatalogObservation, current: CurrentTerms): NotIssuerConflict["claim"] | null {
  const { kind, otherCompany } = release;
  if (kind === "cancelled" && current.status !== "cancelled") return kind;
  if (current.status === "announced") {
    if (kind === "postponed" && statesOtherSchedule(release, current)) return kind;
    if (kind === "announced" && (statesOtherRatio(release, current) || statesOtherDate(release, current)))
      return "terms";
  }
  return otherCompany === null ? null : "company";
}

/** Whether a postponement states no day, or another one than the split has. */
function statesOtherSchedule({ exDate }: CatalogObservation, current: CurrentTerms): boolean {
  return exDate === null || exDate !== current.exDate?.value;
}

function statesOtherRatio({ ratio }: CatalogObservation, { ratio: used, statedRatios }: CurrentTerms): boolean {
  if (ratio === null || used === undefined) return false;
  return !isSameRatio(ratio, used.value) && !statedRatios.has(ratioCode(ratio));
}

function statesOtherDate(release: CatalogObservation, { exDate: used, statedDates }: CurrentTerms): boolean {
  const { exDate } = release;
  if (exDate === null || used === undefined || statedDates.has(exDate)) return false;
  return !isSameFirstDay(used, toFact(release, exDate, "exDate"));
}

function originOf({ issuedOn, url, subject }: CatalogObservation): Pick<NotIssuerConflict, "day" | "url" | "subject"> {
  return { day: issuedOn, url, subject };
}
