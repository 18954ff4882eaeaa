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
