import type { DocumentReading } from "../document-reading.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { readCompanyTickers } from "./company-tickers.ts";
import { readSymbolFile } from "./symbol-file.ts";

/** Reads a captured symbol directory of an exchange or of the SEC. Throws a FetchError for another document. */
export function readDirectory(document: WebAnswer): DocumentReading {
  const isJson = /^[\s\uFEFF]{0,100}[[{]/.test(document.body.toString("utf8", 0, 400));
  const listed = isJson ? readCompanyTickers(document) : readSymbolFile(document);
  return {
    document: isJson ? "list of companies" : "symbol directory",
    entries: [...listed].map(([ticker, { company, exchange }]) => ({
      id: ticker,
      title: exchange === null ? company : `${company} (${exchange})`,
      publishedAt: null,
      isFollowed: false,
    })),
  };
}
