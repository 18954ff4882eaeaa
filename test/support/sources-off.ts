import { SOURCES } from "../../src/sources/index.ts";

/** Settings, in YAML, that disable every source that has a section of `sources`, except the named ones. */
export function sourcesOff(...except: readonly string[]): string {
  const names = SOURCES.filter(({ settingsKey, name }) => settingsKey === `sources.${name}` && !except.includes(name));
  return `sources:\n${names.map(({ name }) => `  ${name}: { every: off }\n`).join("")}`;
}
