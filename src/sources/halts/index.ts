import { officialSource } from "../official/official-source.ts";

/** Trading halts on the eve of a reverse split, which confirm its symbol and ex date. */
export const halts = officialSource({
  name: "halts",
  label: "Trading halts",
  origins: ["url"],
  createReader: async ({ url }, tools) => (await import("./trade-halts.ts")).createHaltsReader(url, tools),
});
