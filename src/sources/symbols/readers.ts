export { readCompanyTickers } from "./company-tickers.ts";
export { readSymbolFile } from "./symbol-file.ts";
