import { defineReaders } from "../reading/document-reader.ts";

export const DIRECTORY_READERS = defineReaders("symbols", {
  readCompanyTickers: async () => (await import("./company-tickers.ts")).readCompanyTickers,
  readSymbolFile: async () => (await import("./symbol-file.ts")).readSymbolFile,
});
