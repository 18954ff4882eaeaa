import { officialSource } from "../official/official-source.ts";
import { FINRA_READERS } from "./readers.ts";

/** FINRA's daily list: splits of over-the-counter securities, one business day before the ex date. */
export const finra = officialSource({
  name: "finra",
  label: "FINRA daily list",
  settings: {
    every: "Poll interval of FINRA's daily list: splits of over-the-counter securities.",
    url: "Origin of its API.",
  },
  createReader: async ({ url }, tools) => (await import("./daily-list.ts")).createDailyListReader(url, tools),
  readers: FINRA_READERS,
  readDocument: async (document) => (await import("./read-document.ts")).readDailyListDocument(document),
});
