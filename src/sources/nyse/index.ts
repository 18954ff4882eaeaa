import { officialSource } from "../official/official-source.ts";
import { NYSE_READERS } from "./readers.ts";

/** Corporate actions of NYSE, NYSE American and NYSE Arca: the ex date of their reverse splits, without the ratio. */
export const nyse = officialSource({
  name: "nyse",
  label: "NYSE corporate actions",
  settings: {
    every:
      "Poll interval of the corporate actions of NYSE, NYSE American and NYSE Arca in the daytime of trading days; four times as long at other times.",
    url: "Origin of its API.",
  },
  createReader: async ({ url }, tools) =>
    (await import("./corporate-actions.ts")).createCorporateActionsReader(url, tools),
  readers: NYSE_READERS,
  readDocument: async (document) => (await import("./read-document.ts")).readCorporateActionsDocument(document),
});
