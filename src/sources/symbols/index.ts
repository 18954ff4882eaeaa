import { disabledReason, officialSourceSection } from "../official/official-source.ts";
import type { SourceDefinition } from "../source-definition.ts";
import type { SymbolSettings } from "./follow-symbols.ts";

const LABEL = "Symbol directories";

/** Directories of the symbols that the US exchanges list, and of the companies that file with the SEC. */
export const symbols: SourceDefinition<SymbolSettings> = {
  name: "symbols",
  settingsKey: "sources.symbols",
  label: LABEL,
  section: officialSourceSection(["url", "secUrl"]),
  offReason: (settings) => disabledReason("symbols", settings),
  open: async (settings, parts) => (await import("./follow-symbols.ts")).openSymbols(settings, parts),
  check: async (settings, context) => (await import("./follow-symbols.ts")).checkSymbols(LABEL, settings, context),
};
