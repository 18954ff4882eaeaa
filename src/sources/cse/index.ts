import { officialSource } from "../official/official-source.ts";

/** Bulletins of the Canadian Securities Exchange: consolidations with ratio, first trading day and new CUSIP. */
export const cse = officialSource({
  name: "cse",
  label: "CSE bulletins",
  origins: ["url", "pageUrl"],
  createReader: async (origins, tools) => (await import("./bulletin-reader.ts")).createBulletinReader(origins, tools),
});
