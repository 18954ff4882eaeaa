import { describe, expect, it } from "vitest";
import { extractFacts } from "./extract.ts";

function mentionsIn(content: string, heading = ""): string {
  const { mentions } = extractFacts({ heading, content });
  return mentions.map(({ ticker, exchange }) => `${ticker}@${exchange ?? "?"}`).join(" ");
}

describe("findTickers, in exchange tags", () => {
  it.each([
    ["(NASDAQ: ACME)", "ACME@NASDAQ"],
    ["(Nasdaq: ACME, ACMEW)", "ACME@NASDAQ ACMEW@NASDAQ"],
    ["(NASDAQ:ACME)(NASDAQ:ACMEW)", "ACME@NASDAQ ACMEW@NASDAQ"],
    ["(Nasdaq: ACME and ACMEW)", "ACME@NASDAQ ACMEW@NASDAQ"],
    ["(Nasdaq: ACME; ACMEW; ACMEU)", "ACME@NASDAQ ACMEW@NASDAQ ACMEU@NASDAQ"],
    ["(Nasdaq: ACME/ACMEW)", "ACME@NASDAQ ACMEW@NASDAQ"],
    ["(CSE: QLR)(OTCQB: QLRFF)", "QLR@CSE QLRFF@OTC"],
    ["(NASDAQ: QLRX | TSXV: QLRX | Frankfurt: 1QL)", "QLRX@NASDAQ QLRX@TSXV"],
    ["(TSX.V-QLR)", "QLR@TSXV"],
    ["(TSX-V: QLRC.P)", "QLRC.P@TSXV"],
    ["(TSX.V:QLR, OTC: QLRFF)", "QLR@TSXV QLRFF@OTC"],
    ["(TSX VENTURE: QLR)", "QLR@TSXV"],
    ["(Toronto Stock Exchange: QLR)", "QLR@TSX"],
    ["(Canadian Securities Exchange: QLR)", "QLR@CSE"],
    ["(Nasdaq: (ACME)", "ACME@NASDAQ"],
    ['("Short" or the "Company"; NASDAQ: ACME)', "ACME@NASDAQ"],
    ['(NASDAQ: ACME, the "Company")', "ACME@NASDAQ"],
    ["(NASDAQ: ACME, A DELAWARE CORPORATION)", "ACME@NASDAQ"],
    ["(NASDAQ: ACME; TSX: ACM)", "ACME@NASDAQ ACM@TSX"],
    ["Nasdaq Capital Market: ACME", "ACME@NASDAQ"],
    ["(The Nasdaq Global Select Market: ACME)", "ACME@NASDAQ"],
    ["(NasdaqCM: ACME)", "ACME@NASDAQ"],
    ["(NSDQ:ACME)", "ACME@NASDAQ"],
    ["(Nasdaq Ticker Symbol: ACME)", "ACME@NASDAQ"],
    ["(NASDAQ: $ACME)", "ACME@NASDAQ"],
    ["(NYSE American:ACME)", "ACME@NYSEAMERICAN"],
    ["(NYSE MKT: ACME)", "ACME@NYSEAMERICAN"],
    ["(NYSE-AM: ACME)", "ACME@NYSEAMERICAN"],
    ["(NYSE Arca: ACMX)", "ACMX@NYSEARCA"],
    ["(New York Stock Exchange: ACME)", "ACME@NYSE"],
    ["(NYSE: ACM.A, ACM.B)", "ACM.A@NYSE ACM.B@NYSE"],
    ["(OTC PINK:ACMED)", "ACMED@OTC"],
    ["(OTC Bulletin Board: ACME)", "ACME@OTC"],
    ["(OTCQB Venture Market: ACME)", "ACME@OTC"],
    ["(OTC.PK: ACME)", "ACME@OTC"],
    ["(OTC: ACME.PK)", "ACME@OTC"],
    ["(TSXV: Pine)", "PINE@TSXV"],
    ["(Ticker: ACMX)", "ACMX@?"],
    ["(Stock Symbol: OTC: ACME)", "ACME@OTC"],
    ["(NASDAQ-CM: ACME)", "ACME@NASDAQ"],
    ["(NASDAQ ACME)", "ACME@NASDAQ"],
    ["(Nasdaq | ACME)", "ACME@NASDAQ"],
    ["(NASDAQ/TSX: ACME)", "ACME@NASDAQ ACME@TSX"],
    ["(NASDAQ and TSX: ACME)", "ACME@NASDAQ ACME@TSX"],
    ["(QLR: TSXV)", "QLR@TSXV"],
    ["(QLR : TSXV and 9QL : Frankfurt)", "QLR@TSXV"],
    ["(QLR - TSX-V)", "QLR@TSXV"],
    ["(NEX: QLR.H)", "QLR.H@TSXV"],
    ["(NYSE/American: ACME)", "ACME@NYSEAMERICAN"],
  ])("finds the tickers of %s", (tag, expected) => {
    expect(mentionsIn(`Acme Mills ${tag} announced`)).toBe(expected);
  });

  it.each([
    ["bold", "(**NASDAQ:** **ACME**)"],
    ["non-breaking spaces", "(NASDAQ:\u00a0ACME)"],
    ["a line break", "(NASDAQ:\nACME)"],
    ["a hard break", "(NASDAQ:\n\nACME)"],
    ["spaces everywhere", "( NASDAQ : ACME )"],
    ["a dash", "(NASDAQ – ACME)"],
    ["quotes", "(NASDAQ: “ACME”)"],
    ["square brackets", "[NASDAQ: ACME]"],
    ["full-width signs", "（NASDAQ：ACME）"],
    ["a trade mark", "(NASDAQ®: ACME)"],
    ["a link", "(NASDAQ: [ACME](https://quotes.example/ACME))"],
  ])("finds the ticker in a tag with %s", (_, tag) => {
    expect(mentionsIn(`Acme Mills ${tag} announced`)).toBe("ACME@NASDAQ");
  });

  it("accepts a non-breaking hyphen in the name of an exchange", () => {
    expect(mentionsIn("Quarry Lake (TSX\u2011V: QLR)")).toBe("QLR@TSXV");
  });

  it.each([
    ["a foreign exchange", "(LSE: ACM) (FSE: 9AC) (ASX: ACM) (Cboe Canada: ACM)"],
    ["a foreign exchange of a group", "(Nasdaq Stockholm: ACM) (NYSE Euronext: ACM) (Cboe Australia: ACM)"],
    ["an adjective", "a Nasdaq-listed company, NYSE-LISTED since May"],
    ["a rule", "Nasdaq Listing Rule 5550(a)(2), (Nasdaq Rule 5550)"],
    ["a market without a symbol", "quoted on the OTC Pink, the OTCQB and the TSX Venture Exchange (“TSXV”)"],
    ["a heading in capitals", "NASDAQ: STOCKS RISE TODAY"],
    ["an empty tag", "(NASDAQ: ) and (NYSE: the Company)"],
    ["a symbol to be announced", "(NASDAQ: TBA)"],
  ])("finds no ticker in %s", (_, text) => {
    expect(mentionsIn(text)).toBe("");
  });
});

describe("findTickers, outside tags", () => {
  it.each([
    ["a cashtag", "Follow $ACME for news", "ACME@?"],
    ["a symbol in quotes", "will trade under the symbol “ACME” from Monday", "ACME@?"],
    ["a symbol with a comma in its quotes", "trading symbol “ACME,” at the open", "ACME@?"],
    ["a plain symbol", "under the ticker symbol ACME.", "ACME@?"],
    ["the exchange before the symbol", "on the Nasdaq Capital Market under the symbol “ACME”", "ACME@NASDAQ"],
    ["the exchange after the symbol", "under the symbol “ACME” on the OTCQB", "ACME@OTC"],
    ["a symbol that remains", "The trading symbol on the NYSE will remain “ACME”.", "ACME@NYSE"],
    ["a symbol before its word", "will trade on Nasdaq under the same ACME symbol, with a new CUSIP", "ACME@NASDAQ"],
    ["a quoted ticker before its word", "continues to trade under the “ACME” ticker", "ACME@?"],
    [
      "the permanent symbol after a temporary one",
      "Acme (OTCQB: ACMED) trades under its temporary symbol before reverting back to its normal “ACME” ticker.",
      "ACMED@OTC ACME@OTC",
    ],
    [
      "the symbol to which a letter is added",
      "a 'D' will be appended to the existing ACME ticker symbol for 20 days",
      "ACME@?",
    ],
    ["an unquoted symbol that remains", "Trading symbol will remain ACME.", "ACME@?"],
    ["a stock code with its exchange", "on the NASDAQ Capital Market, with the stock code “AC”", "AC@NASDAQ"],
    ["a trading code with a digit", "Trading code: ACM1V New ISIN code: FI4000000000", "ACM1V@?"],
    ["two symbols", "under the symbols “ACME” and “ACMEW”", "ACME@? ACMEW@?"],
    [
      "a table of funds",
      "Fund\n\nTicker\n\nCUSIP\n\nPeak Bear\n\nPKBR\n\n25460G807\n\nPeak Bull\n\nPKBL\n\n35460G807\n\n",
      "PKBR@? PKBL@?",
    ],
    ["a table in one line", "| Peak Bear | PKBR | 25460G807 |", "PKBR@?"],
  ])("finds the ticker in %s", (_, text, expected) => {
    expect(mentionsIn(text)).toBe(expected);
  });

  it.each([
    ["sums of money", "for $5M, US$3, $USD, $MM and $CAD 4"],
    ["a former symbol", "formerly traded under the symbol “OLDA”"],
    ["a label in capitals", "TICKER SYMBOL CHANGE FOLLOWS"],
    ["a code of another market", "in Hong Kong with the stock code “1801”, share code ACM, QR code ABCD"],
    ["a trading code that may be another company's symbol", "Trading code: ACM, trading code: 9ACM"],
    ["a bare word in capitals", "ACME said the CEO would speak"],
  ])("finds no ticker in %s", (_, text) => {
    expect(mentionsIn(text)).toBe("");
  });
});

describe("listMentions", () => {
  it("returns each ticker once per exchange, in text order, the heading first", () => {
    expect(mentionsIn("(TSX: QLR) (NASDAQ: QLRX) (TSX: QLR) (OTC: QLR)", "Quarry Lake (NASDAQ: QLRX) splits")).toBe(
      "QLRX@NASDAQ QLR@TSX QLR@OTC",
    );
  });

  it("gives a cashtag the exchange of its tag", () => {
    expect(mentionsIn("$ACME rose. Acme (NASDAQ: ACME) splits.")).toBe("ACME@NASDAQ");
  });

  it("ignores a symbol that contradicts the tag", () => {
    expect(mentionsIn("Acme (Nasdaq: ACME) trades on the Nasdaq under the symbol “ACNE”.")).toBe("ACME@NASDAQ");
  });

  it.each([
    ["on an exchange that has no tag", "on the OTCQB under the symbol “ACMFF”", "ACME@CSE ACMFF@OTC"],
    ["that is the tag's symbol with a letter appended", "under the symbol “ACMED”", "ACME@CSE ACMED@CSE"],
    ["that is called new", "under the new symbol “NEWA”", "ACME@CSE NEWA@CSE"],
  ])("accepts a symbol %s", (_, text, expected) => {
    expect(mentionsIn(`Acme (CSE: ACME) will trade ${text}.`)).toBe(expected);
  });

  it.each([
    ["(NASDAQ: ACME)", true],
    ["$ACME", true],
    ['$ACME, on the Nasdaq under the symbol "ACME"', true],
    ['under the symbol "ACME"', false],
    ['under the new symbol "ACME"', false],
    ["| Acme | ACME | 25460G807 |", false],
  ])("marks a tagged ticker: %s", (content, tagged) => {
    expect(extractFacts({ heading: "", content }).mentions).toMatchObject([{ ticker: "ACME", tagged }]);
  });

  it("returns at most 100 tickers", () => {
    const tags = Array.from({ length: 500 }, (_, index) => `(NASDAQ: A${index})`).join(" ");
    expect(extractFacts({ heading: "", content: tags }).mentions).toHaveLength(100);
  });
});

describe("findTickers, in tags of a wire", () => {
  it.each([
    ["(Other OTC: ACME)", "ACME@OTC"],
    ["( NASDAQ : ACME )", "ACME@NASDAQ"],
    ["TSXV: ACM\n\nVANCOUVER", "ACM@TSXV"],
    ["&#40;NASDAQ&#58; ACME&#41;", "ACME@NASDAQ"],
  ])("finds %j", (content, mentions) => {
    expect(mentionsIn(content)).toBe(mentions);
  });
});

describe("the exchange that a text names", () => {
  it.each(["Nasdaq Helsinki", "Nasdaq OMX Stockholm", "Nasdaq First North", "NYSE Euronext Paris", "Cboe Europe"])(
    "isn't that of the same group in the United States: %s",
    (name) => {
      const content = `Harbor Mills Oyj announces a reverse split. Its shares are listed on ${name}.`;
      expect(extractFacts({ heading: "Harbor Mills reverse split", content }).security.exchange).toBeNull();
    },
  );
});
