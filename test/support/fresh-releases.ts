import { readFileSync } from "node:fs";

/** Expected facts of one split. Several tickers: any of them is accepted. `any`: every answer is accepted. */
export interface ExpectedSplit {
  readonly ticker: readonly string[] | null;
  readonly exchange: string | null;
  readonly ratio: string | null;
  readonly exDate: string | null;
  readonly newCusip: string | null;
}

/** Press release written for the tests, with its expected facts. */
export interface FreshRelease {
  readonly id: string;
  readonly heading: string;
  readonly content: string;
  readonly expected: {
    /** Several where readers disagree. */
    readonly kind: readonly string[];
    readonly announced: string | null;
    readonly company?: string;
    /** Ticker of the issuer, if the release makes no split. */
    readonly ticker?: string;
    readonly exchange?: string;
    /** Null if the release makes no split. */
    readonly splits: readonly ExpectedSplit[] | null;
    readonly fraction: "any" | null | { readonly treatment: string; readonly level: string | null };
    readonly contradictions: readonly string[];
  };
}

const FILE = new URL("../fixtures/releases/fresh.jsonl", import.meta.url);

export function readFreshReleases(): readonly FreshRelease[] {
  const lines = readFileSync(FILE, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as FreshRelease);
}
