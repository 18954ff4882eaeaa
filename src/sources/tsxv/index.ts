import { officialSource } from "../official/official-source.ts";
import { TSXV_READERS } from "./readers.ts";

/** Bulletins of the TSX Venture Exchange: consolidations with ratio, first trading day, new symbol and CUSIP. */
export const tsxv = officialSource({
  name: "tsxv",
  label: "TSX Venture bulletins",
  settings: {
    every:
      "Poll interval of the bulletins of the TSX Venture Exchange in the daytime of trading days; four times as long at other times.",
    url: "Origin of the list of bulletins and of their pages.",
  },
  createReader: async ({ url }, tools) => (await import("./bulletin-reader.ts")).createBulletinReader(url, tools),
  readers: TSXV_READERS,
  readDocument: async (document, context) =>
    (await import("./read-document.ts")).readBulletinDocument(document, context),
});
