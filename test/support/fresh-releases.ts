import { readFileSync } from "node:fs";

/** What one split of a release is. A list names the tickers of which either is right; `any`: both answers are right. */
export interface SplitSaid {
  readonly ticker: readonly string[] | null;
  readonly exchange: string | null;
  readonly ratio: string | null;
  readonly exDate: string | null;
  readonly newCusip: string | null;
}

/** A press release written for the tests, with what a careful reader finds in it. */
export interface FreshRelease {
  readonly id: string;
  readonly heading: string;
  readonly content: string;
  readonly says: {
    /** More than one where careful readers differ. */
    readonly kind: readonly string[];
    readonly announced: string | null;
    readonly company?: string;
    /** The issuer's, where the release makes no split. */
    readonly ticker?: string;
    readonly exchange?: string;
    /** Null: no split can be recorded from it. */
    readonly splits: readonly SplitSaid[] | null;
    readonly fraction: "any" | null | { readonly treatment: string; readonly level: string | null };
    readonly contradictions: readonly string[];
  };
}

const FILE = new URL("../fixtures/releases/fresh.jsonl", import.meta.url);

export function readFreshReleases(): readonly FreshRelease[] {
  const lines = readFileSync(FILE, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as FreshRelease);
}
