import { type Exchange, parseExchange } from "../domain/split/exchange.ts";

/**
 * How releases spell the exchanges whose tickers we know, the longer name before the one that it begins with. Any other
 * exchange (Frankfurt, ASX, LSE) is left out on purpose: its symbols would pass for those of strangers here.
 */
const SPELLINGS: readonly { readonly code: string; readonly forms: readonly string[] }[] = [
  {
    code: "NASDAQ",
    forms: [
      "nsdq|nasdaq(?:[ -]?(?:(?:stock|capital|global select|global) (?:market|exchange)|global select|cm|gm|gs))?(?:,? (?:llc|inc))?",
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
  { code: "TSXV", forms: ["tsx[ .-]?v(?:enture(?: exchange)?)?", "nex(?= ?(?::|board))"] },
  { code: "TSX", forms: ["tsx", "toronto stock exchange"] },
  { code: "CSE", forms: ["cse", "canadian securities exchange", "cnsx"] },
];

const CODES: readonly (Exchange | undefined)[] = SPELLINGS.map(({ code }) => parseExchange(code));

/** One group for each exchange of `SPELLINGS`, in order. Ignores case. */
const NAME_SOURCE = `(?<![\\w.$])(?:the )?(?:${SPELLINGS.map(({ forms }) => `(${forms.join("|")})`).join("|")})(?![a-z])`;

export const EXCHANGE_NAME = new RegExp(NAME_SOURCE, "gi");

const NAME_FOLLOWS = new RegExp(`["',]{0,3} (?:on|of) ${NAME_SOURCE}`, "iy");

const NEXT_NAME = new RegExp(String.raw`\s?(?:[/,;&|]|and\b)\s?${NAME_SOURCE}`, "iy");

/** Where the list of exchanges ends that goes on at `at`: `(NASDAQ/TSX: ACME)`; `at` itself where there is none. */
export function skipExchangeNames(text: string, at: number): number {
  NEXT_NAME.lastIndex = at;
  return NEXT_NAME.test(text) ? NEXT_NAME.lastIndex : at;
}

/** The exchange whose name a pattern of this file found. */
export function exchangeOfMatch(found: RegExpExecArray): Exchange | undefined {
  const group = SPELLINGS.findIndex((_, index) => found[index + 1] !== undefined);
  return CODES[group];
}

/** `(NASDAQ: ACME)` may be a stranger's; `listed on Nasdaq` is the issuer's own. */
const TAG_FOLLOWS = /\s?[:-]\s?[("]{0,2}[A-Z0-9]{1,6}/y;

/** Where shares are to be listed one day they do not trade now. */
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
/** … unless they are to stay there. */
const LISTING_KEPT =
  /\b(?:continu\w+|maintain\w*|regain\w*|remain\w*|retain\w*|keep\w*|complian\w+|stay\w*|deficien\w+|adjusted|basis)\b/i;
const INITIAL_BEHIND = /^'?s?'? (?:initial|new) listing/i;
const PLAN_REACH = 200;

/** Whether the exchange named from `start` to `end` is only to become that of the shares. */
function isPlanned(text: string, start: number, end: number): boolean {
  if (INITIAL_BEHIND.test(text.slice(end, end + 40))) return true;
  const before = text.slice(Math.max(0, start - PLAN_REACH), start);
  const clause = before.slice(
    Math.max(before.lastIndexOf(". "), before.lastIndexOf("\n"), before.lastIndexOf(";")) + 1,
  );
  const planned = LISTING_PLANNED.exec(clause);
  return planned !== null && !LISTING_KEPT.test(planned[0]);
}

/** The exchanges that a text names outside of tags, as those where shares trade. */
export function findListingExchanges(text: string): ReadonlySet<Exchange> {
  const named = new Set<Exchange>();
  for (const found of text.matchAll(EXCHANGE_NAME)) {
    const exchange = exchangeOfMatch(found);
    TAG_FOLLOWS.lastIndex = found.index + found[0].length;
    if (!exchange || named.has(exchange) || TAG_FOLLOWS.test(text)) continue;
    if (!isPlanned(text, found.index, found.index + found[0].length)) named.add(exchange);
  }
  return named;
}

/** The last exchange that `text` names as one where shares trade. */
export function findLastListingExchange(text: string): Exchange | undefined {
  const last = [...text.matchAll(EXCHANGE_NAME)].findLast(
    ({ 0: name, index }) => !isPlanned(text, index, index + name.length),
  );
  return last && exchangeOfMatch(last);
}

/** The exchange in `… on the OTCQB`, where that follows at once. */
export function findExchangeAfter(text: string, at: number): Exchange | undefined {
  NAME_FOLLOWS.lastIndex = at;
  const found = NAME_FOLLOWS.exec(text);
  return found ? exchangeOfMatch(found) : undefined;
}
