import { type Exchange, parseExchange } from "../domain/split/exchange.ts";

/** The issuer's own releases and filings, regardless of the wire or regulator that publishes them. */
export const ISSUER = "issuer";

/** Releases of somebody else, or whose speaker is unknown: they only supply what nobody else states. */
export const OTHER = "other";

/** Source ids of exchanges and regulators. */
const OFFICIAL_SOURCES = ["nasdaq", "finra", "nyse", "cse", "tsxv"] as const;

export type TermSource = typeof ISSUER | typeof OTHER | (typeof OFFICIAL_SOURCES)[number];

/**
 * Sources of each term in the order of precedence: the first source that states the term determines it. A source that doesn't
 * publish a term is missing from its row: NYSE's list has no ratio, and FINRA's list has no CUSIP.
 * An ex date that is derived from an effective date yields to any first trading day: only releases state such dates, the exchanges
 * precede them, and among the releases of an issuer `release-state.ts` keeps the first trading day.
 * `docs/decisions/how-a-split-is-derived.md` quotes this table.
 */
export const PRECEDENCE = {
  listing: [...OFFICIAL_SOURCES, ISSUER, OTHER],
  exDate: [...OFFICIAL_SOURCES, ISSUER, OTHER],
  ratio: ["nasdaq", "finra", "cse", "tsxv", ISSUER, OTHER],
  newCusip: ["nasdaq", "cse", "tsxv", ISSUER, OTHER],
  company: [ISSUER, ...OFFICIAL_SOURCES, OTHER],
} as const satisfies Readonly<Record<string, readonly TermSource[]>>;

export function isOfficialSource(source: string): boolean {
  return OFFICIAL_SOURCES.some((official) => official === source);
}

/** A public list of an exchange or regulator with all reverse splits of its exchanges. */
export interface OfficialList {
  readonly source: (typeof OFFICIAL_SOURCES)[number];
  readonly exchanges: readonly Exchange[];
}

const EXCHANGES: Readonly<Record<OfficialList["source"], readonly string[]>> = {
  nasdaq: ["NASDAQ"],
  finra: ["OTC"],
  nyse: ["NYSE", "NYSEAMERICAN", "NYSEARCA"],
  cse: ["CSE"],
  tsxv: ["TSXV"],
};

export const OFFICIAL_LISTS: readonly OfficialList[] = OFFICIAL_SOURCES.map((source) => ({
  source,
  exchanges: EXCHANGES[source].flatMap((code) => parseExchange(code) ?? []),
}));
