import { z } from "zod";

export const exchangeSchema = z.string().brand<"Exchange">();

/** Exchange code in upper case without spaces. Other data services may use codes that are not in `KNOWN_EXCHANGES`. */
export type Exchange = z.infer<typeof exchangeSchema>;

/** Display names of the exchanges that the embedded data service uses. */
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

/** Exchange whose trading calendar all US exchanges follow. */
export const US_MARKET = "NASDAQ" as Exchange;

/** The over-the-counter market. */
export const OTC = "OTC" as Exchange;

/** Alternative spellings, in upper case without spaces, dots and hyphens. */
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
  OTCMKTS: "OTC",
  OTCBB: "OTC",
  OTCBULLETINBOARD: "OTC",
  OTHEROTC: "OTC",
  PINK: "OTC",
  PINKSHEETS: "OTC",
  TORONTOSTOCKEXCHANGE: "TSX",
  TSXVENTURE: "TSXV",
  TSXVENTUREEXCHANGE: "TSXV",
  CVE: "TSXV",
  CANADIANSECURITIESEXCHANGE: "CSE",
  CNSX: "CSE",
  CNQ: "CSE",
};

/** Exchanges that no source covers, in the form of `ALIASES`. */
const UNCOVERED_NAMES: Readonly<Record<string, string>> = {
  LSE: "London Stock Exchange",
  LONDON: "London Stock Exchange",
  LONDONSTOCKEXCHANGE: "London Stock Exchange",
  AIM: "London Stock Exchange",
  ASX: "Australian Securities Exchange",
  HKEX: "Hong Kong Stock Exchange",
  SEHK: "Hong Kong Stock Exchange",
  TSE: "Tokyo Stock Exchange",
  JPX: "Tokyo Stock Exchange",
  XETRA: "Frankfurt Stock Exchange",
  FSE: "Frankfurt Stock Exchange",
  FWB: "Frankfurt Stock Exchange",
  FRANKFURT: "Frankfurt Stock Exchange",
  EURONEXT: "Euronext exchanges",
  SIX: "SIX Swiss Exchange",
  NSE: "National Stock Exchange of India",
  BSE: "Bombay Stock Exchange",
  SGX: "Singapore Exchange",
  JSE: "Johannesburg Stock Exchange",
  TASE: "Tel Aviv Stock Exchange",
  KRX: "Korea Exchange",
  SSE: "Shanghai Stock Exchange",
  SZSE: "Shenzhen Stock Exchange",
  NEO: "Cboe Canada exchange",
};

const EXCHANGE = /^[A-Z][A-Z0-9]{1,29}$/;

/** Parses a code or a common name. Other text is taken as an unknown code if it has 2 to 30 letters and digits; else undefined. */
export function parseExchange(text: string): Exchange | undefined {
  const normalized = text
    .toUpperCase()
    .replace(/[\s.\-_/:®™]+/g, "")
    .replace(/^THE(?=NASDAQ|NEWYORK|TORONTO|CANADIAN)/, "");
  const code = Object.hasOwn(ALIASES, normalized) ? ALIASES[normalized] : normalized;
  return code !== undefined && EXCHANGE.test(code) ? (code as Exchange) : undefined;
}

/** Display name of an exchange that no source covers, to be used with "the"; undefined for other text. */
export function uncoveredExchangeName(text: string): string | undefined {
  const code = parseExchange(text);
  return code !== undefined && Object.hasOwn(UNCOVERED_NAMES, code) ? UNCOVERED_NAMES[code] : undefined;
}

/** Parses a name of one of `KNOWN_EXCHANGES`; undefined for other text. */
export function parseKnownExchange(text: string): Exchange | undefined {
  const exchange = parseExchange(text);
  return exchange !== undefined && isKnownExchange(exchange) ? exchange : undefined;
}

export function isKnownExchange(exchange: Exchange): boolean {
  return Object.hasOwn(NAMES, exchange);
}

/** Display name: `NYSE American` for NYSEAMERICAN; unknown codes are returned unchanged. */
export function exchangeName(exchange: Exchange): string {
  return isKnownExchange(exchange) ? NAMES[exchange as unknown as keyof typeof NAMES] : exchange;
}

/** True for the US exchanges and the over-the-counter market, which share one trading calendar. */
export function followsUsTradingDays(exchange: Exchange): boolean {
  return ["NASDAQ", "NYSE", "NYSEAMERICAN", "NYSEARCA", "CBOE", "OTC"].includes(exchange);
}

/**
 * True if a symbol names the same security on both exchanges. US exchanges share symbols, and releases often name the wrong
 * exchange.
 */
export function sharesSymbols(a: Exchange, b: Exchange): boolean {
  return a === b || (followsUsTradingDays(a) && followsUsTradingDays(b));
}
