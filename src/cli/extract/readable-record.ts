import type { ExtractedRecord } from "./extracted-record.ts";

const NOT_STATED = "not stated";
const LABEL_WIDTH = 20;
const MAX_SENTENCE_LENGTH = 300;

/** Returns a record as lines for a terminal, ended by a blank one: the facts, then the sentences that state them. */
export function readableRecord(record: ExtractedRecord): string {
  const { contradictions = [] } = record;
  const facts: readonly (readonly [string, string | null])[] = [
    ["Kind", words(record.kind)],
    ["Company", record.company],
    ["Ticker", record.ticker],
    ["Exchange", record.exchange],
    ["Ratio (new:old)", record.ratio],
    ["Ex date", record.ex_date],
    ["Announced", record.date_announced],
    ["Fractional shares", fractionOf(record)],
    ["New CUSIP", record.new_cusip],
    ...(contradictions.length > 0 ? [["Contradictory", contradictions.map(words).join(", ")] as const] : []),
  ];
  const lines = facts.map(([label, value]) => `${label.padEnd(LABEL_WIDTH)}${value ?? NOT_STATED}`);
  return [...lines, ...evidenceLines(record), ""].map(withoutControls).join("\n");
}

function fractionOf({ fractional, fractional_level: level }: ExtractedRecord): string | null {
  if (fractional === null) return null;
  return level === null ? words(fractional) : `${words(fractional)}, per ${level}`;
}

/** Each sentence once, with the facts that it states. */
function evidenceLines({ evidence }: ExtractedRecord): readonly string[] {
  const facts = Object.entries(evidence);
  return [...new Set(Object.values(evidence))].map((sentence) => {
    const stated = facts.filter(([, one]) => one === sentence).map(([fact]) => words(fact));
    const cut = sentence.length > MAX_SENTENCE_LENGTH ? `${sentence.slice(0, MAX_SENTENCE_LENGTH)}…` : sentence;
    return `  ${stated.join(", ")}: “${cut}”`;
  });
}

function words(code: string): string {
  return code.replaceAll("_", " ");
}

/** A release may contain the control sequences of a terminal. */
function withoutControls(line: string): string {
  return line.replace(/\p{Cc}+/gu, " ");
}
