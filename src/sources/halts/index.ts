import { officialSource } from "../official/official-source.ts";

/** Trading halts on the evening before a reverse split. They confirm the symbol and the ex date of the split. */
export const halts = officialSource({
  name: "halts",
  label: "Trading halts",
  origins: ["url"],
  createReader: async ({ url }, tools) => (await import("./trade-halts.ts")).createHaltsReader(url, tools),
});
