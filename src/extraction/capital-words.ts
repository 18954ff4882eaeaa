/** Words in capitals that are no symbols, even with an exchange: exchanges, securities, legal forms and placeholders. */
export const NEVER_SYMBOLS: ReadonlySet<string> = new Set(
  `NASDAQ NYSE OTC OTCQB OTCQX OTCID TSX TSXV CSE PINK LISTED TRADED QUOTED TBD TBA NONE N NA US CUSIP ISIN WKN SEDOL THE LLC INC OMX RULE
  ADS ADSS ADR ADRS ETF ETFS ETN ETNS ETP ETPS`.split(/\s+/),
);

/** Amounts and currencies after a dollar sign: `$M`, `US$`, `$CAD`. */
export const MONEY: ReadonlySet<string> = new Set(
  "MM BN USD CAD AUD NZD HKD SGD TWD US HK NT SG NZ CDN CA AU".split(" "),
);

/** Words in capitals that are usually no symbols without an exchange: authorities, roles, countries, currencies and abbreviations. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  `AMEX CBOE ASX LSE HKEX SEC FDA EMA EPA FTC IRS FINRA DTC DTCC CEO CFO COO CTO CMO IR PR HR USA USD UK EU UAE CAD AUD GDR IPO SPAC AGM EGM
  BOD MOU LOI NAV LTD PLC CORP AI IT TV ESG R D NEW OLD AND FOR AG SA SE NV AB ASA SPA LP CO OR OF IN ON TO BY AS AT IS BE WE NO ITS ARE WAS HAS CUSIPS FUND FUNDS TRUST SHARES`.split(
    /\s+/,
  ),
);

export function isInCapitals(text: string): boolean {
  return text === text.toUpperCase();
}

/** Whether a word in capitals can be a symbol without an exchange. */
export function canBeBareSymbol(word: string): boolean {
  return !NEVER_SYMBOLS.has(word) && !ABBREVIATIONS.has(word);
}
