import type { SourceDefinition } from "../source-definition.ts";
import { SOURCE_ID } from "./newswire.ts";
import { type NewswireSettings, newswireSettings } from "./settings.ts";

/** The feeds of the news wires, and configured feeds. */
export const newswires: SourceDefinition<NewswireSettings> = {
  name: "newswires",
  id: SOURCE_ID,
  label: "news wires",
  section: newswireSettings(),
  open: async (settings, parts) => (await import("../live-sources.ts")).openNewswires(settings, parts),
  check: async (settings, context) => (await import("./doctor.ts")).checkNewswires(settings, context),
};
