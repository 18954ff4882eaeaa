import { officialSource } from "../official/official-source.ts";
import { CSE_READERS } from "./readers.ts";

/** Bulletins of the Canadian Securities Exchange: consolidations with ratio, first trading day and new CUSIP. */
export const cse = officialSource({
  name: "cse",
  label: "CSE bulletins",
  settings: {
    every:
      "Poll interval of the bulletins of the Canadian Securities Exchange in the daytime of trading days; four times as long at other times.",
    url: "Origin of the API with the list of bulletins.",
    pageUrl: "Origin of the bulletins' pages.",
  },
  createReader: async (origins, tools) => (await import("./bulletin-reader.ts")).createBulletinReader(origins, tools),
  readers: CSE_READERS,
  readDocument: async (document, context) =>
    (await import("./read-document.ts")).readBulletinDocument(document, context),
});
