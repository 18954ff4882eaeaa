import type { Observation } from "../../src/catalog/observation.ts";
import { parseRatio } from "../../src/domain/split/ratio.ts";
import type { Statement } from "../../src/sources/official/statement.ts";
import { day } from "./builders.ts";
import { mention } from "./releases.ts";

/** An announcement that an exchange published at noon in New York on the day `issuedOn`, read a minute later. */
export function anObservation(
  parts: Partial<Omit<Observation, "issuedOn" | "exDate" | "ratio" | "listings">> & {
    readonly issuedOn?: string;
    readonly exDate?: string | null;
    readonly ratio?: string | null;
    /** Exchange tags such as `NASDAQ: ACME`. */
    readonly listings?: readonly string[];
  } = {},
): Observation {
  const {
    issuedOn = "2026-03-02",
    exDate = "2026-03-10",
    ratio = "1:20",
    listings = ["NASDAQ: ACME"],
    ...others
  } = parts;
  const publishedAt = Date.parse(`${issuedOn}T17:00:00Z`);
  return {
    source: "nasdaq",
    id: "2026-101",
    url: "https://exchange.example/alerts/2026-101",
    kind: "announced",
    publishedAt,
    observedAt: publishedAt + 60_000,
    company: "Acme Robotics Inc.",
    newCusip: null,
    evidence: { ratio: "1-for-20" },
    ...others,
    issuedOn: day(issuedOn),
    exDate: exDate === null ? null : day(exDate),
    ratio: ratio === null ? null : (parseRatio(ratio) ?? null),
    listings: listings.map(mention),
  };
}

/** What a notice states about a one-for-twenty split on 2026-03-10, as a reader returns it. */
export function aStatement(parts: Partial<Statement> = {}): Statement {
  return {
    id: "B2026-7",
    url: "https://bulletin.example/B2026-7",
    kind: "announced",
    listings: [mention("NASDAQ: ACME")],
    company: "Acme Robotics Inc.",
    ratio: { newShares: 1, oldShares: 20 },
    exDate: day("2026-03-10"),
    newCusip: null,
    evidence: { ratio: "a one-for-twenty (1-20) reverse split" },
    publishedAt: Date.parse("2026-03-02T13:00:00Z"),
    ...parts,
  };
}
