import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseDocument } from "yaml";
import { type Endpoints, readEndpoints } from "./endpoints.ts";
import { type Environment, readEnvironment, SECRETS, type Variables, whyUnreadable } from "./environment.ts";
import { quoteValue } from "./overlay.ts";
import { readSettings, type Settings } from "./settings.ts";

/** Everything that can be set, checked. */
export interface Config extends Settings, Endpoints {
  /** The file that is laid over config/default.yaml; null: none. */
  readonly overlay: string | null;
  /** Every form of a secret that the log is to keep to itself. */
  readonly secrets: readonly string[];
  /** Variables that are set, and that this version does nothing with. */
  readonly unused: readonly string[];
}

/** The configuration cannot be used. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** All that is wrong, a line each: `PORT: got "http", expected a port from 0 to 65535`. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

export interface ConfigSources {
  readonly env: Variables;
  /** Where .env lies, and where relative paths count from. */
  readonly folder: string;
  /** The log goes to a terminal: it is pretty there unless LOG_FORMAT says otherwise. */
  readonly terminal: boolean;
}

/** Of parts that this version does not have. */
const UNUSED_PREFIXES = ["DATABASE_URL"];

const DEFAULTS_PATH = fileURLToPath(new URL("../../config/default.yaml", import.meta.url));

/** Reads environment, .env, secrets' files and settings. Throws a ConfigError that tells all that is wrong. */
export function readConfig({ env, folder, terminal }: ConfigSources): Config {
  const problems: string[] = [];
  const environment = readEnvironment(env, folder, problems);
  const endpoints = readEndpoints(environment, folder, terminal, problems);
  const overlay = environment.SPLITWATCH_CONFIG === undefined ? null : resolve(folder, environment.SPLITWATCH_CONFIG);
  const settings = readSettingFiles(overlay, folder, problems);
  if (settings === null || problems.length > 0) throw new ConfigError(problems);
  return deepFreeze({
    ...settings,
    ...endpoints,
    overlay,
    secrets: secretsOf(environment),
    unused: Object.keys(environment).filter((name) => UNUSED_PREFIXES.some((prefix) => name.startsWith(prefix))),
  });
}

/** A chat platform of others is connected: there no invented data is shown, and nothing is served while there is no other. */
export function hasExternalChat({ discord, slackApp }: Pick<Config, "discord" | "slackApp">): boolean {
  return discord !== null || slackApp !== null;
}

function readSettingFiles(overlay: string | null, folder: string, problems: string[]): Settings | null {
  const defaults = readYaml("config/default.yaml", DEFAULTS_PATH, problems);
  const changes = overlay === null ? {} : readYaml("SPLITWATCH_CONFIG", overlay, problems);
  if (defaults === undefined || changes === undefined) return null;
  const read = readSettings(defaults, changes, folder);
  if ("settings" in read) return read.settings;
  problems.push(...read.problems);
  return null;
}

/** What a YAML file holds; undefined after a problem with it. */
function readYaml(name: string, path: string, problems: string[]): unknown {
  const text = readText(name, path, problems);
  if (text === undefined) return undefined;
  const document = parseDocument(text);
  if (document.errors.length === 0) return document.toJS() ?? {};
  for (const error of document.errors) {
    const line = error.linePos ? `, line ${error.linePos[0].line}` : "";
    problems.push(`${name}: got ${path}${line}, expected YAML (${error.message.split("\n")[0]?.replace(/:$/, "")})`);
  }
  return undefined;
}

function readText(name: string, path: string, problems: string[]): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    problems.push(`${name}: got ${quoteValue(path)}, expected the path of a YAML file (${whyUnreadable(error)})`);
    return undefined;
  }
}

function secretsOf(environment: Environment): string[] {
  const secrets = SECRETS.map((name) => environment[name] ?? "");
  return [...secrets, databasePassword(environment)].filter((secret) => secret !== "");
}

/** It may turn up without the address around it, in an error of the database's client. */
function databasePassword({ DATABASE_URL: address = "" }: Environment): string {
  const password = URL.canParse(address) ? new URL(address).password : "";
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === "object" && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}
