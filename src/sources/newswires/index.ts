import { WIRES } from "../../domain/article/wire.ts";
import type { SourceDefinition } from "../source-definition.ts";
import { WIRE_READERS } from "./readers.ts";
import { hasNoFeeds, type NewswireSettings, newswireSettings } from "./settings.ts";

/** The feeds of the news wires, and configured feeds. */
export const newswires: SourceDefinition<NewswireSettings> = {
  name: "newswires",
  settingsKey: "newswires",
  label: "news wires",
  partNames: WIRES,
  section: newswireSettings(),
  offReason: (settings) => (hasNoFeeds(settings) ? "no feed is configured" : null),
  readers: WIRE_READERS,
  open: async (settings, parts) => (await import("./wires.ts")).openNewswires(settings, parts),
  check: async (settings, context) => (await import("./doctor.ts")).checkNewswires(settings, context),
  readDocument: async (document, context) => (await import("./read-document.ts")).readWireDocument(document, context),
};
