import { officialSource } from "../official/official-source.ts";
import { NASDAQ_READERS } from "./readers.ts";

/** Nasdaq's corporate action notices: ratio, ex date and new CUSIP of its listings, about two business days before the split. */
export const nasdaq = officialSource({
  name: "nasdaq",
  label: "Nasdaq corporate actions",
  settings: {
    every:
      "Poll interval of Nasdaq's corporate action notices in the daytime of trading days; half of it before the market opens, at least 15m at other times. Never below 1m.",
    url: "Origin of its feed, its archive and its pages.",
  },
  createReader: async ({ url }, tools) => (await import("./notice-reader.ts")).createNoticesReader(url, tools),
  readers: NASDAQ_READERS,
  readDocument: async (document, context) => (await import("./read-document.ts")).readNoticeDocument(document, context),
});
