import { disabledReason, officialSourceSection } from "../official/official-source.ts";
import type { SourceDefinition } from "../source-definition.ts";
import type { SymbolSettings } from "./follow-symbols.ts";
import { DIRECTORY_READERS } from "./readers.ts";

const LABEL = "Symbol directories";

/** Directories of the symbols that the US exchanges list, and of the companies that file with the SEC. */
export const symbols: SourceDefinition<SymbolSettings> = {
  name: "symbols",
  settingsKey: "sources.symbols",
  label: LABEL,
  confirmsOnly: true,
  section: officialSourceSection({
    every:
      "Poll interval of the directories of the symbols that the US exchanges list, and of the SEC's list of companies, which needs a mail address in SPLITWATCH_CONTACT; without one it is not read.",
    url: "Origin of the exchanges' directories.",
    secUrl: "Origin of the SEC's list of companies.",
  }),
  offReason: (settings) => disabledReason("symbols", settings),
  readers: DIRECTORY_READERS,
  open: async (settings, parts) => (await import("./follow-symbols.ts")).openSymbols(settings, parts),
  check: async (settings, context) => (await import("./follow-symbols.ts")).checkSymbols(LABEL, settings, context),
  readDocument: async (document) => (await import("./read-document.ts")).readDirectory(document),
};
