import type { Ticker } from "../domain/split/ticker.ts";
import type { FundToken } from "./fund-tokens.ts";

type TickerMark = Extract<FundToken, { kind: "ticker" }>;

/** How a release tells the house behind a fund from the fund. A test holds every rule to its own example. */
export interface SponsorRule {
  readonly name: string;
  /** Ends with `$`: the ticker follows at once. */
  readonly before?: RegExp;
  /** Begins with `^`. */
  readonly after?: RegExp;
  /** A text whose ticker, in brackets, is a sponsor's. */
  readonly example: string;
}

const HOUSE = "(?:parent|sponsor|issuer|advis[eo]r|manager|provider|purveyor|owner|subsidiary|division|firm)";
/** What houses call themselves, and no fund does. */
const FUND_NAME_ENDS = /\b(?:ETFs?|ETNs?|ETPs?|Funds?|Shares|Trust|Notes|Strategy|Index|Futures|Bull|Bear|[\d.]+X) ?$/i;

export const SPONSOR_RULES: readonly SponsorRule[] = [
  {
    name: "called so behind its ticker",
    after: new RegExp(`^,(?: which is)?(?: the| an?| whose)? (?:(?!of |and )[\\w&'-]+ ){0,3}?${HOUSE}\\b`, "i"),
    example: "Harbor Bank (NYSE: HBK), the parent company of the sponsor, announced",
  },
  {
    name: "called so before its name",
    before: new RegExp(`\\b${HOUSE}(?: company)?,?(?: [A-Z&][\\w.&'-]*){1,6},? ?$`),
    example: "the ETN sponsor Harbor Bank (NYSE: HBK) announced",
  },
  {
    name: "announces what another fund does",
    before: new RegExp(`^(?!.*${FUND_NAME_ENDS.source})`, "is"),
    after: /^,?(?: has| today| also)* (?:announce[sd]|said|says)\b/i,
    example: "Harbor Bank (NYSE: HBK) announced",
  },
];

/** The tickers of the houses behind the funds, wherever they stand. None where there is no other ticker, of a fund. */
export function findSponsors(blocks: readonly (readonly FundToken[])[]): ReadonlySet<Ticker> {
  const marks = blocks.flat().filter((mark) => mark.kind === "ticker");
  const sponsors = new Set(marks.filter(isSponsor).map(({ ticker }) => ticker));
  return marks.every(({ ticker }) => sponsors.has(ticker)) ? new Set() : sponsors;
}

function isSponsor(mark: TickerMark): boolean {
  return SPONSOR_RULES.some((rule) => matchesSponsorRule(rule, mark));
}

export function matchesSponsorRule({ before, after }: SponsorRule, mark: Pick<FundToken, "before" | "after">): boolean {
  return (before?.test(mark.before) ?? true) && (after?.test(mark.after) ?? true);
}
