import type { ReleaseKind } from "../domain/article/article.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import type { ArticleFacts, Evidence, ExDateBasis, FactField, SplitFacts } from "../extraction/facts.ts";
import { cutText } from "../lib/external-text.ts";

/** Names of the facts in the output, in its order. */
export const OUTPUT_NAMES = {
  kind: "kind",
  ticker: "ticker",
  exchange: "exchange",
  company: "company",
  ratio: "ratio",
  exDate: "ex_date",
  announced: "date_announced",
  fraction: "fractional",
  level: "fractional_level",
  newCusip: "new_cusip",
} as const satisfies Readonly<Record<FactField, string>>;

type FactName = (typeof OUTPUT_NAMES)[FactField];

/** Output for one split, or for a release without a split. Null: not stated. */
export interface ExtractedRecord extends Readonly<Record<FactName, string | null>> {
  /** Omitted if the article has none. */
  readonly id?: unknown;
  readonly url: string | null;
  readonly kind: ReleaseKind;
  /** What the ex date is derived from. Null without an ex date. */
  readonly ex_date_basis: ExDateBasis | null;
  /** Verbatim sentence for each stated fact. */
  readonly evidence: Readonly<Partial<Record<FactName, string>>>;
  /** Facts that are null because the text contradicts itself. Omitted if there are none. */
  readonly contradictions?: readonly FactName[];
}

/** Article of which the facts were extracted. */
interface ExtractedArticle {
  readonly id?: unknown;
  readonly url: string | null;
}

/** Returns one record per split; for a release without a split, one record without terms. */
export function recordsOf(article: ExtractedArticle, facts: ArticleFacts): readonly ExtractedRecord[] {
  const splits: readonly SplitFacts[] = facts.splits.length > 0 ? facts.splits : [withoutTerms(facts)];
  return splits.map((split) => recordOf(article, facts, split));
}

function withoutTerms({ security }: ArticleFacts): SplitFacts {
  return { ...security, ratio: null, exDate: null, newCusip: null, evidence: {} };
}

function recordOf({ id, url }: ExtractedArticle, facts: ArticleFacts, split: SplitFacts): ExtractedRecord {
  return {
    ...(id !== undefined && { id }),
    url,
    kind: facts.kind,
    ticker: split.ticker,
    exchange: split.exchange,
    company: split.company,
    ratio: split.ratio && ratioCode(split.ratio),
    ex_date: split.exDate,
    ex_date_basis: split.exDate && (split.exDateBasis ?? "trading"),
    date_announced: facts.announced,
    fractional: facts.fraction?.treatment ?? null,
    fractional_level: facts.fraction?.level ?? null,
    new_cusip: split.newCusip,
    evidence: namedEvidence({ ...facts.evidence, ...split.evidence }),
    ...(facts.contradictions.length > 0 && {
      contradictions: facts.contradictions.map((field) => OUTPUT_NAMES[field]),
    }),
  };
}

function namedEvidence(evidence: Evidence): ExtractedRecord["evidence"] {
  const fields = Object.keys(OUTPUT_NAMES) as FactField[];
  return Object.fromEntries(
    fields.flatMap((field) => {
      const sentence = evidence[field];
      return sentence === undefined ? [] : [[OUTPUT_NAMES[field], sentence]];
    }),
  );
}

const NOT_STATED = "not stated";
const UNCLEAR = "unclear: see the sentence";
const LABEL_WIDTH = 20;
const MAX_SENTENCE_LENGTH = 300;

/** Returns a record as lines for a terminal: the facts, the sentences that state them, and a blank line. */
export function readableRecord(record: ExtractedRecord): string {
  const { contradictions = [] } = record;
  return readableFacts(
    [
      ["Kind", toWords(record.kind)],
      ["Company", record.company],
      ["Ticker", record.ticker],
      ["Exchange", record.exchange],
      ["Ratio (new:old)", record.ratio, "ratio"],
      ["Ex date", exDateOf(record), "ex_date"],
      ["Announced", record.date_announced],
      ["Fractional shares", fractionOf(record)],
      ["New CUSIP", record.new_cusip, "new_cusip"],
      ...(contradictions.length > 0 ? [["Contradictory", contradictions.map(toWords).join(", ")] as const] : []),
    ],
    record.evidence,
  );
}

/**
 * Returns facts by their labels as lines for a terminal, the sentences that state them, and a blank line.
 * A fact without a value whose term has evidence is unclear.
 */
export function readableFacts(
  facts: readonly (readonly [label: string, value: string | null, term?: string])[],
  evidence: Readonly<Record<string, string>>,
): string {
  const missing = (term: string | undefined): string => (term !== undefined && term in evidence ? UNCLEAR : NOT_STATED);
  const lines = facts.map(([label, value, term]) => `${label.padEnd(LABEL_WIDTH)}${value ?? missing(term)}`);
  return [...lines, ...evidenceLines(evidence), ""].map(withoutControls).join("\n");
}

function exDateOf({ ex_date, ex_date_basis }: ExtractedRecord): string | null {
  return ex_date_basis === "effective" ? `${ex_date}, from the effective date` : ex_date;
}

function fractionOf({ fractional, fractional_level: level }: ExtractedRecord): string | null {
  if (fractional === null) return null;
  return level === null ? toWords(fractional) : `${toWords(fractional)}, per ${level}`;
}

/** Returns each sentence once, with the facts that it states. */
function evidenceLines(evidence: Readonly<Record<string, string>>): readonly string[] {
  const facts = Object.entries(evidence);
  return [...new Set(Object.values(evidence))].map((sentence) => {
    const statedFacts = facts.filter(([, stated]) => stated === sentence).map(([fact]) => toWords(fact));
    return `  ${statedFacts.join(", ")}: “${cutText(sentence, MAX_SENTENCE_LENGTH)}”`;
  });
}

export function toWords(code: string): string {
  return code.replaceAll("_", " ");
}

/** Removes control characters: a release may contain terminal escape sequences. */
export function withoutControls(line: string): string {
  return line.replace(/\p{Cc}+/gu, " ");
}
