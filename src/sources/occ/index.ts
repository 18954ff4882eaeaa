import { officialSource } from "../official/official-source.ts";
import { OCC_READERS } from "./readers.ts";

/** Memos of the Options Clearing Corporation: they confirm the day of a reverse split of an optionable share. */
export const occ = officialSource({
  name: "occ",
  label: "OCC memos",
  confirmsOnly: true,
  settings: {
    every:
      "Poll interval of the memos of the Options Clearing Corporation in the daytime of trading days, such as 1h; four times as long at other times. Off by default: the site refuses some networks.",
    url: "Origin of the list of memos.",
  },
  createReader: async ({ url }, tools) => (await import("./memo-list.ts")).createMemoReader(url, tools),
  readers: OCC_READERS,
  readDocument: async (document, context) => (await import("./read-document.ts")).readMemoDocument(document, context),
});
