import { type Exchange, parseExchange } from "../domain/split/exchange.ts";
import { findMatches } from "./text-rule.ts";

/**
 * Spellings of the supported exchanges; longer names precede their prefixes. Other exchanges (Frankfurt, ASX, LSE,
 * Nasdaq Helsinki) are omitted, because a symbol there may be that of another company on a supported exchange.
 */
const SPELLINGS: readonly { readonly code: string; readonly forms: readonly string[] }[] = [
  {
    code: "NASDAQ",
    forms: [
      "nsdq|nasdaq(?! (?:omx|nordic|baltic|first north|helsinki|stockholm|copenhagen|iceland|riga|tallinn|vilnius|dubai)\\b)(?:[ -]?(?:(?:stock|capital|global select|global) (?:market|exchange)|global select|cm|gm|gs))?(?:,? (?:llc|inc))?",
    ],
  },
  {
    code: "NYSEAMERICAN",
    forms: [
      "nyse[ /-]?(?:american|mkt|amex|amer|am(?=:)|alternext(?: us)?)(?: llc)?",
      "amex",
      "american stock exchange",
    ],
  },
  { code: "NYSEARCA", forms: ["nyse[ -]?arca"] },
  { code: "NYSE", forms: ["nyse(?! euronext)", "new york stock exchange"] },
  {
    code: "CBOE",
    forms: ["cboe(?! ?(?:ca|canada|australia|europe|japan|uk|nl)(?![a-z]))(?: ?bzx)?(?: exchange)?", "bats"],
  },
  {
    code: "OTC",
    forms: [
      "otc[ .:-]{0,2}(?:qb|qx|id|bb|pk|mkts|pinks?(?: (?:sheets?|open market|market|limited|current))?|markets?(?: group)?|grey|expert market)(?: (?:venture|best) market)?",
      "otc bulletin board",
      "otc",
      "pink sheets?",
      "pink(?=:)",
    ],
  },
  { code: "TSXV", forms: ["tsx[ .-]?v(?:enture(?: exchange)?)?", "nex(?= ?(?::|board))"] },
  { code: "TSX", forms: ["tsx", "toronto stock exchange"] },
  { code: "CSE", forms: ["cse", "canadian securities exchange", "cnsx"] },
];

const CODES: readonly (Exchange | undefined)[] = SPELLINGS.map(({ code }) => parseExchange(code));

/** Pattern source with one group for each exchange of `SPELLINGS`, in order. For patterns that ignore case. */
const NAME_SOURCE = `(?<![\\w.$])(?:the )?(?:${SPELLINGS.map(({ forms }) => `(${forms.join("|")})`).join("|")})(?![a-z])`;

export const EXCHANGE_NAME = new RegExp(NAME_SOURCE, "gi");

/** Exchange after a quoted symbol: `" on the OTCQB`. */
const NAME_FOLLOWS = new RegExp(`["',]{0,3} (?:on|of) ${NAME_SOURCE}`, "iy");

/** Next exchange in a list: `/TSX`, ` and TSX`. */
const NEXT_NAME = new RegExp(String.raw`\s?(?:[/,;&|]|and\b)\s?${NAME_SOURCE}`, "iy");

/** Returns the end of a list of exchanges that continues at `at`, as in `(NASDAQ/TSX: ACME)`, or `at`. */
export function skipExchangeNames(text: string, at: number): number {
  NEXT_NAME.lastIndex = at;
  return NEXT_NAME.test(text) ? NEXT_NAME.lastIndex : at;
}

/** Returns the exchange of a match of `EXCHANGE_NAME`. */
export function exchangeOfMatch(match: RegExpExecArray): Exchange | undefined {
  const group = SPELLINGS.findIndex((_, index) => match[index + 1] !== undefined);
  return CODES[group];
}

/** Rest of a tag after its exchange: `: ACME`. A tag may belong to another company; `listed on Nasdaq` is about the issuer. */
const TAG_FOLLOWS = /\s?[:-]\s?[("]{0,2}[A-Z0-9]{1,6}/y;

/** Wordings of a future listing. */
const LISTING_PLANNED = new RegExp(
  [
    String.raw`\b(?:appl(?:y|ied|ies|ying|ication)|approved|eligib\w+|qualif\w+|seek(?:s|ing)?|sought|pursu\w+)\b[^.;]{0,80}\b(?:list|listed|listing)\b`,
    String.raw`\b(?:intend\w*|intention|plan(?:s|ned|ning)?|hop(?:es?|ing)|aim(?:s|ing)?|goal|propos\w+|expects?)\b[^.;]{0,80}\b(?:to list|to be listed|list(?:ing)? (?:its|the|our)|to move|moving|transfer\w*)\b`,
    String.raw`\bup-?list\w*`,
    String.raw`\binitial listing\b`,
  ]
    .map((wording) => `${wording}[^.;]{0,60}$`)
    .join("|"),
  "i",
);
/** Wordings of a plan to keep a listing: the shares already trade there. */
const LISTING_CONTINUES =
  /\b(?:continu\w+|maintain\w*|regain\w*|remain\w*|retain\w*|keep\w*|complian\w+|stay\w*|deficien\w+|adjusted|basis)\b/i;
const INITIAL_LISTING_AFTER = /^'?s?'? (?:initial|new) listing/i;
/** Length of the text before an exchange in which a plan may be stated, in characters. */
const PLAN_CONTEXT = 200;

/** Whether the exchange named from `start` to `end` is only a planned listing. */
function isPlannedListing(text: string, start: number, end: number): boolean {
  if (INITIAL_LISTING_AFTER.test(text.slice(end, end + 40))) return true;
  const before = text.slice(Math.max(0, start - PLAN_CONTEXT), start);
  const clause = before.slice(
    Math.max(before.lastIndexOf(". "), before.lastIndexOf("\n"), before.lastIndexOf(";")) + 1,
  );
  const plan = LISTING_PLANNED.exec(clause);
  return plan !== null && !LISTING_CONTINUES.test(plan[0]);
}

/** Finds the exchanges that a text names outside tags as current listings. */
export function findListingExchanges(text: string): ReadonlySet<Exchange> {
  const exchanges = new Set<Exchange>();
  for (const match of text.matchAll(EXCHANGE_NAME)) {
    const exchange = exchangeOfMatch(match);
    TAG_FOLLOWS.lastIndex = match.index + match[0].length;
    if (!exchange || exchanges.has(exchange) || TAG_FOLLOWS.test(text)) continue;
    if (!isPlannedListing(text, match.index, match.index + match[0].length)) exchanges.add(exchange);
  }
  return exchanges;
}

/** Finds the last exchange that a text names as a current listing. */
export function findLastListingExchange(text: string): Exchange | undefined {
  const last = findMatches(EXCHANGE_NAME, text).findLast(
    ({ 0: name, index }) => !isPlannedListing(text, index, index + name.length),
  );
  return last && exchangeOfMatch(last);
}

/** Finds the exchange of `… on the OTCQB` directly after `at`. */
export function findExchangeAfter(text: string, at: number): Exchange | undefined {
  NAME_FOLLOWS.lastIndex = at;
  const match = NAME_FOLLOWS.exec(text);
  return match ? exchangeOfMatch(match) : undefined;
}
