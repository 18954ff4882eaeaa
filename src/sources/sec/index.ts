import { disabledReason, officialSourceSection } from "../official/official-source.ts";
import { contactProblem } from "../sec-hosts.ts";
import type { SourceDefinition } from "../source-definition.ts";
import type { SecSettings } from "./open-filings.ts";
import { FILING_READERS } from "./readers.ts";

/** EDGAR: filings with the SEC, and the press releases among their exhibits. */
export const sec: SourceDefinition<SecSettings> = {
  name: "sec",
  settingsKey: "sources.sec",
  label: "SEC EDGAR",
  section: officialSourceSection({
    every:
      "Poll interval of EDGAR, for filings with the SEC and the press releases that are exhibits of them. It is ten times as long at night and at weekends. Needs a mail address in SPLITWATCH_CONTACT; without one this source is off.",
    url: "Origin of the latest filings and of the archives.",
    searchUrl: "Origin of the full-text search.",
    dataUrl: "Origin of the filers' names and symbols.",
  }),
  offReason: (settings, contact) => disabledReason("sec", settings) ?? contactProblem(contact),
  readers: FILING_READERS,
  open: async (settings, parts) => (await import("./open-filings.ts")).openFilings(settings, parts),
  check: async (settings, context) => (await import("./open-filings.ts")).checkFilings("SEC EDGAR", settings, context),
  readDocument: async (document, context) => (await import("./read-document.ts")).readEdgarDocument(document, context),
};
