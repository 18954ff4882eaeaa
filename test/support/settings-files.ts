import { fileURLToPath } from "node:url";

/** Settings for SPLITWATCH_CONFIG that use only local sources. */
export const SETTINGS_FILES = {
  sample: settingsFile("sample"),
  sampleWithFeed: settingsFile("sample-with-feed"),
  /** `service.source` is auto, and no wire is reachable. */
  noWireAnswers: settingsFile("no-wire-answers"),
} as const;

function settingsFile(name: string): string {
  return fileURLToPath(new URL(`../fixtures/settings/${name}.yaml`, import.meta.url));
}
