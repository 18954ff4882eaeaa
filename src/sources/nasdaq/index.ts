import { officialSource } from "../official/official-source.ts";

/** Nasdaq's corporate action notices: ratio, ex date and new CUSIP of its listings, about two business days before the split. */
export const nasdaq = officialSource({
  name: "nasdaq",
  label: "Nasdaq corporate actions",
  origins: ["url"],
  createReader: async ({ url }, tools) => (await import("./notice-reader.ts")).createNoticesReader(url, tools),
});
