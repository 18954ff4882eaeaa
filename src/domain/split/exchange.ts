/** An exchange as the data service writes it: upper case, no blanks. Any other service may know exchanges that we do not. */
export type Exchange = string & { readonly __brand: "Exchange" };

/** The exchanges that our own data service uses, and what people call them. */
const NAMES = {
  NASDAQ: "Nasdaq",
  NYSE: "NYSE",
  NYSEAMERICAN: "NYSE American",
  NYSEARCA: "NYSE Arca",
  CBOE: "Cboe",
  OTC: "OTC",
  TSX: "TSX",
  TSXV: "TSX Venture",
  CSE: "CSE",
} as const;

export const KNOWN_EXCHANGES = Object.keys(NAMES) as readonly string[] as readonly Exchange[];

/** Spellings without blanks, dots and hyphens, in upper case, that are not the code itself. */
const ALIASES: Readonly<Record<string, keyof typeof NAMES>> = {
  NASDAQCM: "NASDAQ",
  NASDAQGM: "NASDAQ",
  NASDAQGS: "NASDAQ",
  NASDAQCAPITALMARKET: "NASDAQ",
  NASDAQGLOBALMARKET: "NASDAQ",
  NASDAQGLOBALSELECTMARKET: "NASDAQ",
  NASDAQGLOBALSELECT: "NASDAQ",
  NASDAQSTOCKMARKET: "NASDAQ",
  NEWYORKSTOCKEXCHANGE: "NYSE",
  NYSEMKT: "NYSEAMERICAN",
  NYSEAMEX: "NYSEAMERICAN",
  AMEX: "NYSEAMERICAN",
  AMERICAN: "NYSEAMERICAN",
  ARCA: "NYSEARCA",
  CBOEBZX: "CBOE",
  BZX: "CBOE",
  BATS: "CBOE",
  OTCQB: "OTC",
  OTCQX: "OTC",
  OTCID: "OTC",
  OTCPINK: "OTC",
  OTCPK: "OTC",
  OTCMARKETS: "OTC",
  OTCBB: "OTC",
  PINK: "OTC",
  PINKSHEETS: "OTC",
  TORONTOSTOCKEXCHANGE: "TSX",
  TSXVENTURE: "TSXV",
  TSXVENTUREEXCHANGE: "TSXV",
  CANADIANSECURITIESEXCHANGE: "CSE",
  CNSX: "CSE",
};

const EXCHANGE = /^[A-Z][A-Z0-9]{1,29}$/;

/** The exchange that `text` names: a code, a usual name or spelling of one, or any other single name. Undefined for anything else. */
export function parseExchange(text: string): Exchange | undefined {
  const bare = text
    .toUpperCase()
    .replace(/[\s.\-_/:®™]+/g, "")
    .replace(/^THE(?=NASDAQ|NEWYORK|TORONTO|CANADIAN)/, "");
  const code = Object.hasOwn(ALIASES, bare) ? ALIASES[bare] : bare;
  return code !== undefined && EXCHANGE.test(code) ? (code as Exchange) : undefined;
}

/** The exchange that `text` names, where it is one of those that we know. */
export function parseKnownExchange(text: string): Exchange | undefined {
  const exchange = parseExchange(text);
  return exchange !== undefined && isKnownExchange(exchange) ? exchange : undefined;
}

export function isKnownExchange(exchange: Exchange): boolean {
  return Object.hasOwn(NAMES, exchange);
}

/** How people write it: `NYSE American` for NYSEAMERICAN; an unknown code as it is. */
export function exchangeName(exchange: Exchange): string {
  return isKnownExchange(exchange) ? NAMES[exchange as unknown as keyof typeof NAMES] : exchange;
}

/** True where the US exchanges' trading days hold. The over-the-counter market keeps the same days. */
export function followsUsTradingDays(exchange: Exchange): boolean {
  return ["NASDAQ", "NYSE", "NYSEAMERICAN", "NYSEARCA", "CBOE", "OTC"].includes(exchange);
}

/** True where one symbol means one security: the US exchanges share their symbols, and releases often name the wrong one of them. */
export function sharesSymbols(a: Exchange, b: Exchange): boolean {
  return a === b || (followsUsTradingDays(a) && followsUsTradingDays(b));
}
