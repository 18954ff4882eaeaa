import type { SourceAnswer, SourceRequest } from "./source-server.ts";

/** `nasdaqtraded.txt`, as nasdaqtrader.com serves it. */
export const TRADED = [
  "Nasdaq Traded|Symbol|Security Name|Listing Exchange|Market Category|ETF|Round Lot Size|Test Issue|Financial Status|CQS Symbol|NASDAQ Symbol|NextShares",
  "Y|QLMR|Quillmere Therapeutics, Inc. - Common Stock|Q|S|N|100|N|D||QLMR|N",
  "Y|QLMRW|Quillmere Therapeutics, Inc. - Warrant|Q|S|N|100|N|D||QLMRW|N",
  "Y|HRB.A|Harbor Mills Company Class A Common Stock|N| |N|100|N||HRB.A|HRB.A|N",
  "Y|BRVL|Brandvale Lithium Corp. Common Shares|A| |N|100|N||BRVL|BRVL|N",
  "Y|ZZTST|Test Stock - Common Stock|Q|Q|N|100|Y|N||ZZTST|N",
  "File Creation Time: 0302202608:01|||||||||||",
  "",
].join("\r\n");

/** `otherlisted.txt` */
export const OTHER = [
  "ACT Symbol|Security Name|Exchange|CQS Symbol|ETF|Round Lot Size|Test Issue|NASDAQ Symbol",
  "BRVL|Brandvale Lithium Corp. Common Shares|N|BRVL|N|100|N|BRVL",
  "OTHR|Other Harbor Inc. Common Stock|P|OTHR|N|100|N|OTHR",
  "File Creation Time: 0302202608:01|||||||",
  "",
].join("\r\n");

/** `company_tickers_exchange.json`, as the SEC serves it. */
export const COMPANY_TICKERS = JSON.stringify({
  fields: ["cik", "name", "ticker", "exchange"],
  data: [
    [9_999_901, "QUILLMERE THERAPEUTICS, INC. \\DE\\", "QLMR", "Nasdaq"],
    [9_999_901, "QUILLMERE THERAPEUTICS, INC. \\DE\\", "QLMRW", "Nasdaq"],
    [9_999_902, "Tarn Valley Copper Corp.", "TVCC", "OTC"],
    [9_999_903, "Harbor Mills Co", "HRB-A", "NYSE"],
    [9_999_903, "Harbor Mills Co", "HRB-B", "NYSE"],
    [9_999_904, "Unlisted Holdings Ltd", "UNLD", null],
    [9_999_905, null, "NONM", "OTC"],
  ],
});

/** A company of the directories. */
export interface ListedCompany {
  readonly ticker: string;
  readonly company: string;
  /** `NYSEAMERICAN`; Nasdaq's directories leave out those of other markets than its own and NYSE's. */
  readonly exchange: string;
}

const LISTING_CODES: Readonly<Record<string, string>> = { NASDAQ: "Q", NYSE: "N", NYSEAMERICAN: "A", CBOE: "Z" };
const SEC_EXCHANGES: Readonly<Record<string, string>> = {
  NASDAQ: "Nasdaq",
  NYSE: "NYSE",
  NYSEAMERICAN: "NYSE",
  CBOE: "CBOE",
  OTC: "OTC",
};

/** The directories of Nasdaq and the SEC, with the companies that were listed so far. */
export class FakeDirectories {
  readonly #listed: ListedCompany[] = [];

  list(company: ListedCompany): void {
    this.#listed.push(company);
  }

  /** Answers like the servers of both publishers: 304 while a directory is unchanged. */
  answer({ path, headers }: SourceRequest): SourceAnswer {
    const etag = `"${this.#listed.length}"`;
    if (headers["if-none-match"] === etag) return { status: 304 };
    if (path === "/files/company_tickers_exchange.json") return { headers: { etag }, body: this.#companyTickers() };
    const file = /^\/dynamic\/SymDir\/(nasdaqtraded|otherlisted)\.txt$/.exec(path)?.[1];
    if (file === undefined) return { status: 404 };
    return { type: "text/plain", headers: { etag }, body: file === "otherlisted" ? this.#other() : this.#traded() };
  }

  #traded(): string {
    return withRows(TRADED, this.#listed, ({ ticker, company }, code) =>
      ["Y", ticker, `${company} - Common Stock`, code, "S", "N", "100", "N", "N", "", ticker, "N"].join("|"),
    );
  }

  #other(): string {
    const others = this.#listed.filter(({ exchange }) => exchange !== "NASDAQ");
    return withRows(OTHER, others, ({ ticker, company }, code) =>
      [ticker, `${company} Common Stock`, code, ticker, "N", "100", "N", ticker].join("|"),
    );
  }

  #companyTickers(): string {
    const { fields, data } = JSON.parse(COMPANY_TICKERS) as { fields: readonly string[]; data: readonly unknown[] };
    const rows = this.#listed.flatMap(({ ticker, company, exchange }, index) => {
      const name = SEC_EXCHANGES[exchange];
      return name === undefined ? [] : [[2_000_000 + index, company, ticker, name]];
    });
    return JSON.stringify({ fields, data: [...data, ...rows] });
  }
}

/** The directory with a row for each company that it lists, before the line with its time of creation. */
function withRows(
  directory: string,
  listed: readonly ListedCompany[],
  row: (company: ListedCompany, code: string) => string,
): string {
  const [end = "", ...lines] = directory.trimEnd().split("\r\n").toReversed();
  const rows = listed.flatMap((company) => {
    const code = LISTING_CODES[company.exchange];
    return code === undefined ? [] : [row(company, code)];
  });
  return [...lines.toReversed(), ...rows, end, ""].join("\r\n");
}
