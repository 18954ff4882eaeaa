import type {
  CatalogSplit,
  Conflict,
  ReleaseConflict,
  CatalogFact as SourcedFact,
  TermFacts,
} from "../../catalog/catalog-split.ts";
import { describeDifference } from "../../catalog/conflicts.ts";
import { describeSpeakerConflict } from "../../catalog/speaker-conflicts.ts";
import type { FractionEvidence, TickerMention } from "../../domain/article/article.ts";
import { exchangeName } from "../../domain/split/exchange.ts";
import { ratioName } from "../../domain/split/ratio.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { groupBy } from "../../lib/collections.ts";
import { capitalize, formatDay, inQuotes, joinList } from "../format.ts";
import { type Card, card, type Row } from "../message.ts";
import { FROM_EFFECTIVE_DATE, fractionQuotes } from "../split-text.ts";

/** A listed split with the statements of its sources. */
export interface SplitSources {
  readonly ticker: Ticker;
  readonly split: CatalogSplit;
  /** Contradictions between its listings and the symbol directories, as sentences without a period. */
  readonly listingProblems: readonly string[];
  /** Returns the display name of a source. */
  readonly labelOf: (source: string) => string;
  /** Treatments of fractional shares that this card quotes; empty if another card quotes them. */
  readonly fractions: readonly FractionEvidence[];
}

/** Card with the source of each term of a split, the split's confirmations, and the differences between sources. */
export function splitSourcesCard(sources: SplitSources): Card {
  const { ticker, split, listingProblems, fractions } = sources;
  return card({
    title: `Sources of the terms of ${ticker}`,
    rows: [...termRows(sources), ...confirmationRows(sources)],
    quotes: fractions.flatMap((evidence) => fractionQuotes(evidence)),
    warnings: [
      ...split.conflicts.map((conflict) => conflictText(conflict, sources)),
      ...listingProblems.map((problem) => `Listing differs: ${problem}.`),
    ],
  });
}

/** Names of terms, in the order in which they are shown. */
export const TERM_NAMES: Readonly<Record<keyof TermFacts, string>> = {
  listing: "listing",
  ratio: "ratio",
  exDate: "ex date",
  company: "company",
  newCusip: "new CUSIP",
  announced: "announcement date",
};

function termRows(sources: SplitSources): readonly Row[] {
  const { listing, ratio, exDate, company, newCusip, announced } = sources.split.facts;
  return [
    ...termRow("ratio", ratio, ratioName, sources),
    ...termRow("exDate", exDate, formatDay, sources),
    ...termRow("listing", listing, listingText, sources),
    ...termRow("company", company, (name) => name, sources),
    ...termRow("newCusip", newCusip, (cusip) => cusip, sources),
    ...termRow("announced", announced, formatDay, sources),
  ];
}

const MAX_EVIDENCE_LENGTH = 200;

/** Row of the value in use; listings have one row per market. */
function termRow<T>(
  term: keyof TermFacts,
  facts: readonly SourcedFact<T>[],
  textOf: (value: T) => string,
  sources: SplitSources,
): readonly Row[] {
  const byText = [...groupBy(facts, ({ value }) => textOf(value))];
  const shownValues = term === "listing" ? byText : byText.slice(0, 1);
  return shownValues.flatMap(([text, [current, ...confirming]]) => {
    if (current === undefined) return [];
    const labels = new Set(confirming.map(({ source }) => sources.labelOf(source)));
    labels.delete(sources.labelOf(current.source));
    const confirmation = labels.size === 0 ? null : `also ${joinList([...labels])}`;
    const evidence = current.evidence === null ? null : inQuotes(current.evidence, MAX_EVIDENCE_LENGTH);
    const detail = [evidence, formatDay(current.day), confirmation].filter((part) => part !== null).join(" · ");
    const mark = current.basis === "effective" ? `, ${FROM_EFFECTIVE_DATE}` : "";
    return [
      {
        title: `${capitalize(TERM_NAMES[term])} ${text}${mark}: ${referenceTo(current, sources)}`,
        detail,
        link: current.url,
      },
    ];
  });
}

/** `Nasdaq corporate actions ECA2026-901`: the source's name, with the notice's number if the address contains it. */
function referenceTo(
  { source, url }: { readonly source: string; readonly url: string },
  { split, labelOf }: SplitSources,
): string {
  const matching = split.observations.find((observation) => observation.url === url && observation.source === source);
  const number = matching?.id.split(" ")[0] ?? "";
  return /^[\w-]*\d$/.test(number) && url.includes(number) ? `${labelOf(source)} ${number}` : labelOf(source);
}

function confirmationRows({ split, labelOf }: SplitSources): readonly Row[] {
  return split.confirmations.map(({ source, url, issuedOn, evidence }) => {
    const [sentence] = Object.values(evidence);
    const quote = sentence === undefined ? [] : [inQuotes(sentence, MAX_EVIDENCE_LENGTH)];
    return { title: `Confirmed: ${labelOf(source)}`, detail: [...quote, formatDay(issuedOn)].join(" · "), link: url };
  });
}

function listingText({ ticker, exchange }: TickerMention): string {
  return exchange === null ? ticker : `${ticker} on ${exchangeName(exchange)}`;
}

function conflictText(conflict: Conflict, sources: SplitSources): string {
  const { labelOf } = sources;
  switch (conflict.kind) {
    case "differs":
      return `${capitalize(TERM_NAMES[conflict.term])} differs: ${describeDifference(conflict, labelOf, formatDay)}.`;
    case "same-day":
    case "outdated":
      return releaseConflictText(conflict, sources);
    case "not-issuer":
    case "unconfirmed":
    case "still-listed":
      return `${capitalize(describeSpeakerConflict(conflict, labelOf, formatDay))}.`;
  }
}

function releaseConflictText(
  { kind, day, url, earlierUrl }: ReleaseConflict,
  { split, labelOf }: SplitSources,
): string {
  const labelAt = (address: string): string => {
    const source = split.observations.find((observation) => observation.url === address)?.source;
    return source === undefined ? "another source" : labelOf(source);
  };
  switch (kind) {
    case "same-day":
      return `Two releases of ${formatDay(day)} state different terms: the later one, from ${labelAt(url)}, is used; the other, from ${labelAt(earlierUrl)}, isn't.`;
    case "outdated":
      return `A release from ${labelAt(url)} is ignored: it repeats outdated terms, which a release from ${labelAt(earlierUrl)} had replaced.`;
  }
}
