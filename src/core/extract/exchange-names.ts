import { type Exchange, parseExchange } from "../exchange.ts";

/**
 * How releases spell the exchanges whose tickers we know, the longer name before the one that it begins with. Any other
 * exchange (Frankfurt, ASX, LSE) is left out on purpose: its symbols would pass for those of strangers here.
 */
const SPELLINGS: readonly { readonly code: string; readonly forms: readonly string[] }[] = [
  {
    code: "NASDAQ",
    forms: [
      "nasdaq(?: ?(?:(?:stock|capital|global select|global) (?:market|exchange)|global select|cm|gm|gs))?(?:,? (?:llc|inc))?",
    ],
  },
  { code: "NYSEAMERICAN", forms: ["nyse[ -]?(?:american|mkt|amex)(?: llc)?", "amex", "american stock exchange"] },
  { code: "NYSEARCA", forms: ["nyse[ -]?arca"] },
  { code: "NYSE", forms: ["nyse", "new york stock exchange"] },
  { code: "CBOE", forms: ["cboe(?! ?(?:ca|canada)(?![a-z]))(?: ?bzx)?(?: exchange)?", "bats"] },
  {
    code: "OTC",
    forms: [
      "otc[ .:-]{0,2}(?:qb|qx|id|bb|pk|mkts|pinks?(?: (?:sheets?|open market|market|limited|current))?|markets?(?: group)?|grey|expert market)(?: (?:venture|best) market)?",
      "otc",
      "pink sheets?",
      "pink(?=:)",
    ],
  },
  { code: "TSXV", forms: ["tsx[ .-]?v(?:enture(?: exchange)?)?"] },
  { code: "TSX", forms: ["tsx", "toronto stock exchange"] },
  { code: "CSE", forms: ["cse", "canadian securities exchange", "cnsx"] },
];

const CODES: readonly (Exchange | undefined)[] = SPELLINGS.map(({ code }) => parseExchange(code));

/** One group for each exchange of `SPELLINGS`, in order. Ignores case. */
const NAME_SOURCE = `(?<![\\w.$])(?:the )?(?:${SPELLINGS.map(({ forms }) => `(${forms.join("|")})`).join("|")})(?![a-z])`;

export const EXCHANGE_NAME = new RegExp(NAME_SOURCE, "gi");

const NAME_FOLLOWS = new RegExp(`["',]{0,3} (?:on|of) ${NAME_SOURCE}`, "iy");

/** The exchange whose name a pattern of this file found. */
export function exchangeOf(found: RegExpExecArray): Exchange | undefined {
  const group = SPELLINGS.findIndex((_, index) => found[index + 1] !== undefined);
  return CODES[group];
}

/** The last exchange that `text` names. */
export function lastExchangeIn(text: string): Exchange | undefined {
  const last = [...text.matchAll(EXCHANGE_NAME)].at(-1);
  return last && exchangeOf(last);
}

/** The exchange in `… on the OTCQB`, where that follows at once. */
export function exchangeAfter(text: string, at: number): Exchange | undefined {
  NAME_FOLLOWS.lastIndex = at;
  const found = NAME_FOLLOWS.exec(text);
  return found ? exchangeOf(found) : undefined;
}
