import { officialSource } from "../official/official-source.ts";
import { HALTS_READERS } from "./readers.ts";

/** Trading halts on the evening before a reverse split. They confirm the symbol and the ex date of the split. */
export const halts = officialSource({
  name: "halts",
  label: "Trading halts",
  confirmsOnly: true,
  settings: {
    every:
      "Poll interval of the trading halts, some of which confirm a split on its eve; also read at 09:05, 19:51, 19:56, 20:01 and 20:05 in New York. At least 1h on days without trading.",
    url: "Origin of its feed.",
  },
  createReader: async ({ url }, tools) => (await import("./trade-halts.ts")).createHaltsReader(url, tools),
  readers: HALTS_READERS,
  readDocument: async (document) => (await import("./read-document.ts")).readHaltsDocument(document),
});
