import { expect, it } from "vitest";
import { allVariables } from "./index.ts";
import { misspelledVariables } from "./misspelled-variables.ts";

const warningsFor = (...names: readonly string[]): readonly string[] =>
  misspelledVariables(allVariables(), Object.fromEntries(names.map((name) => [name, "x"])));

it.each([
  ["DISCORD_TOKNE", "DISCORD_TOKEN"],
  ["SPLIT_API_URL", "SPLITS_API_URL"],
  ["DATADIR", "DATA_DIR"],
  ["discord_token", "DISCORD_TOKEN"],
  ["ADMIN_TOKNE_FILE", "ADMIN_TOKEN_FILE"],
  ["DISCORD_BOT_TOKEN", "DISCORD_TOKEN"],
  ["SLACK_TOKEN", "SLACK_BOT_TOKEN"],
  ["DATABASE_URI", "DATABASE_URL"],
])("suggests for %s the variable %s", (name, suggestion) => {
  expect(warningsFor(name)).toEqual([`${name}: unknown variable; did you mean ${suggestion}?`]);
});

it("explains that only secrets can be read from a file", () => {
  expect(warningsFor("SPLITS_API_URL_FILE")).toEqual([
    "SPLITS_API_URL_FILE: unknown variable; only secrets can be read from a file, set SPLITS_API_URL",
  ]);
});

it("doesn't suggest a variable that is set", () => {
  expect(warningsFor("DATABASE_URI", "DATABASE_URL")).toEqual([]);
  expect(warningsFor("ADMIN_TOKNE", "ADMIN_TOKEN_FILE")).toEqual([]);
});

it("ignores blank variables and those of other programs", () => {
  expect(misspelledVariables(allVariables(), { DISCORD_TOKNE: " " })).toEqual([]);
  const names =
    "PATH HOME HOSTNAME USER SHELL LANG LOGNAME TERM TZ NODE_ENV NODE_OPTIONS npm_config_cache PGDATA PGHOST";
  const kubernetes = "SPLITWATCH_PORT SPLITWATCH_SERVICE_HOST SPLITWATCH_PORT_8080_TCP_ADDR KUBERNETES_PORT";
  expect(warningsFor(...`${names} ${kubernetes} XDG_DATA_DIRS POSTGRES_PASSWORD PUBLIC_HOST`.split(" "))).toEqual([]);
});
