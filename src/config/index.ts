import { resolve } from "node:path";
import { parseDocument } from "yaml";
import { PLATFORMS } from "../chat/index.ts";
import type { ConfiguredPlatform, PlatformDefinition } from "../chat/platform-definition.ts";
import { readTextSync } from "../lib/bounded-file.ts";
import { errorMessage } from "../lib/error-text.ts";
import { isJsonObject } from "../lib/json.ts";
import { packagePath } from "../lib/package.ts";
import { useProxies } from "../lib/proxies.ts";
import { SOURCES } from "../sources/index.ts";
import type { ConfiguredSource, SourceDefinition } from "../sources/source-definition.ts";
import { configuredStore, STORES } from "../store/index.ts";
import type { StoreAccess, StoreDefinition } from "../store/store-definition.ts";
import {
  createEnvironmentReader,
  type EnvironmentReader,
  type Findings,
  readEnvironment,
  unreadableReason,
  type Variables,
} from "./environment.ts";
import { type EnvironmentSettings, readEnvironmentSettings } from "./environment-settings.ts";
import { roleProblem } from "./roles.ts";
import {
  type DefinedSections,
  type ParsedSettings,
  readSettings,
  type Settings,
  type SettingsInput,
} from "./settings.ts";
import { quoteSetting } from "./value-schemas.ts";
import { hasValue } from "./variable-values.ts";
import { GENERAL_VARIABLES, type VariableDefinition } from "./variables.ts";

/** The validated configuration. */
export interface Config extends Settings, EnvironmentSettings {
  readonly store: StoreAccess;
  readonly platforms: readonly ConfiguredPlatform[];
  readonly sources: readonly ConfiguredSource[];
  /** File that is merged over config/default.yaml; null if there is none. */
  readonly overlay: string | null;
  /** Values to mask in every output. */
  readonly secrets: readonly string[];
  /** Patterns of credentials to mask in every output. */
  readonly credentialPatterns: readonly RegExp[];
  /** Settings that are probably mistakes, one line each: `SPLIT_API_URL: unknown variable; did you mean SPLITS_API_URL?` */
  readonly warnings: readonly string[];
  /** Whether HTTPS_PROXY is set. */
  readonly usesProxy: boolean;
}

/** Error of an invalid configuration. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** One line per problem: `PORT: got "http", expected a port from 0 to 65535`. */
  readonly problems: readonly string[];
  /** Settings that are probably mistakes, and may explain the problems. */
  readonly warnings: readonly string[];

  constructor(problems: readonly string[], warnings: readonly string[] = []) {
    super(problems.join("\n"));
    this.problems = problems;
    this.warnings = warnings;
  }
}

export interface ConfigInput {
  readonly env: Variables;
  /** Folder of .env and base of relative paths. */
  readonly folder: string;
  /** True if the log is written to a terminal, where the default format is pretty. */
  readonly isTerminal: boolean;
}

/** Definitions of everything that can be configured. Tests add their own. */
export interface Registries {
  readonly platforms: readonly PlatformDefinition[];
  readonly stores: readonly StoreDefinition[];
  readonly sources: readonly SourceDefinition[];
}

const MAX_YAML_BYTES = 1024 * 1024;

const DEFAULTS_PATH = packagePath("config/default.yaml");

/** Content of config/default.yaml, which doesn't change while a process runs; undefined before it was read. */
let shippedDefaults: unknown;

/** All environment variables: general variables first, then the variables of each store and chat platform. */
export function allVariables(
  platforms: readonly PlatformDefinition[] = PLATFORMS,
  stores: readonly StoreDefinition[] = STORES,
): readonly VariableDefinition[] {
  return [...GENERAL_VARIABLES, ...stores, ...platforms].flatMap(
    (group): readonly VariableDefinition[] => group.variables,
  );
}

/** Reads environment, .env, secret files and settings, and sets the proxies of this process. Throws a ConfigError that lists every problem. */
export function readConfig(
  { env, folder, isTerminal }: ConfigInput,
  { platforms = PLATFORMS, stores = STORES, sources: liveSources = SOURCES }: Partial<Registries> = {},
): Config {
  const findings: Findings = { problems: [], warnings: [] };
  const { problems, warnings } = findings;
  const definitions = allVariables(platforms, stores);
  const variables = readEnvironment(definitions, env, folder, findings);
  const reader = createEnvironmentReader(definitions, variables, findings);
  const environmentSettings = readEnvironmentSettings(reader, folder, isTerminal);
  const store = configuredStore({ dataDir: environmentSettings.dataDir, env: reader }, stores);
  const overlay = variables.SPLITWATCH_CONFIG === undefined ? null : resolve(folder, variables.SPLITWATCH_CONFIG);
  const settingProblems: string[] = [];
  const settings = readSettingFiles(overlay, { folder, platforms, liveSources }, settingProblems);
  const configured = platforms.flatMap((definition) => configure(definition, reader, settings?.sections ?? {}));
  problems.push(...settingProblems);
  if (settings === null || problems.length > 0) throw new ConfigError(problems, warnings);
  const config = deepFreeze({
    ...settings.settings,
    ...environmentSettings,
    store,
    platforms: configured,
    sources: liveSources.map((definition) => ({ definition, settings: settings.sections[definition.settingsKey] })),
    overlay,
    secrets: secretsOf(definitions, variables),
    credentialPatterns: platforms.flatMap(({ credentialPattern }) => credentialPattern ?? []),
    warnings,
    usesProxy: ["HTTPS_PROXY", "https_proxy"].some((name) => hasValue(env, name)),
  });
  const problem = roleProblem(config.roles, {
    isStoreShared: store.isShared,
    hasSources: config.splitsApi === null && selectedSources(config).length > 0,
    hasOwnService: config.splitsApi === null,
    hasExternalChat: hasExternalChat(config),
  });
  if (problem !== null) throw new ConfigError([problem], warnings);
  useProxies(config.proxies);
  return config;
}

/** Settings that a set of variables would give, without files. */
export interface VariablesCheck {
  readonly problems: readonly string[];
  readonly platforms: readonly ConfiguredPlatform[];
  readonly environment: EnvironmentSettings;
}

/** Validates variables that are not saved yet. Platforms have the default settings of their sections. */
export function checkVariables(variables: Variables, folder: string): VariablesCheck {
  const problems: string[] = [];
  const reader = createEnvironmentReader(allVariables(), variables, { problems, warnings: [] });
  const environment = readEnvironmentSettings(reader, folder, false);
  const platforms = PLATFORMS.flatMap((definition) => configure(definition, reader, {}));
  return { problems, platforms, environment };
}

function configure(
  definition: PlatformDefinition,
  reader: EnvironmentReader,
  sections: DefinedSections,
): readonly ConfiguredPlatform[] {
  const { name, section } = definition;
  // If the section is invalid, its defaults are used, so that the variables are validated too.
  const settings = definition.readSettings(reader, sections[name] ?? section?.parse({}));
  return settings === null ? [] : [{ definition, settings }];
}

/** True if a platform outside this process is configured: sample data must not reach it. */
export function hasExternalChat({ platforms }: Pick<Config, "platforms">): boolean {
  return platforms.some(({ definition }) => definition.isExternal);
}

/** Contact in the User-Agent of requests to sources: SPLITWATCH_CONTACT, else PUBLIC_URL. */
export function sourceContact({ contact, publicUrl }: Pick<Config, "contact" | "publicUrl">): string | null {
  return contact ?? publicUrl;
}

/** Enabled live sources; empty if `service.source` excludes live data. */
export function selectedSources(config: Config): Config["sources"] {
  const contact = sourceContact(config);
  return permittedSources(config).filter(
    ({ definition, settings }) => definition.offReason(settings, contact) === null,
  );
}

/** Disabled live sources and the reasons; empty if `service.source` excludes live data. */
export function disabledSources(config: Config): readonly { readonly label: string; readonly reason: string }[] {
  const contact = sourceContact(config);
  return permittedSources(config).flatMap(({ definition, settings }) => {
    const reason = definition.offReason(settings, contact);
    return reason === null ? [] : [{ label: definition.label, reason }];
  });
}

function permittedSources({ service, sources }: Config): Config["sources"] {
  const { kind } = service.source;
  return kind === "auto" || kind === "live" ? sources : [];
}

function readSettingFiles(
  overlay: string | null,
  parts: Omit<SettingsInput, "defaults" | "overlay">,
  problems: string[],
): ParsedSettings | null {
  shippedDefaults ??= readYaml("config/default.yaml", DEFAULTS_PATH, problems);
  const defaults = shippedDefaults;
  const overrides = overlay === null ? {} : readYaml("SPLITWATCH_CONFIG", overlay, problems);
  if (defaults === undefined || overrides === undefined) return null;
  return readSettings({ ...parts, defaults, overlay: overrides }, problems);
}

/** Parses a YAML file. Returns undefined and adds a problem if it can't be read. */
function readYaml(name: string, path: string, problems: string[]): unknown {
  const text = readText(name, path, problems);
  if (text === undefined) return undefined;
  const document = parseDocument(text);
  for (const error of document.errors) {
    const line = error.linePos ? `, line ${error.linePos[0].line}` : "";
    problems.push(`${name}: got ${path}${line}, expected YAML (${error.message.split("\n")[0]?.replace(/:$/, "")})`);
  }
  if (document.errors.length > 0) return undefined;
  try {
    const content: unknown = document.toJS() ?? {};
    if (isJsonObject(content)) return content;
    const got = Array.isArray(content) ? "a list" : "a single value";
    problems.push(`${name}: got ${path}, which contains ${got}, expected sections: lines of 'key: value'`);
  } catch (error) {
    const quoting = "a value that begins with * needs quotation marks";
    problems.push(`${name}: got ${path}, expected YAML without aliases; ${quoting} (${errorMessage(error)})`);
  }
  return undefined;
}

function readText(name: string, path: string, problems: string[]): string | undefined {
  try {
    return readTextSync(path, MAX_YAML_BYTES);
  } catch (error) {
    problems.push(`${name}: got ${quoteSetting(path)}, expected the path of a YAML file (${unreadableReason(error)})`);
    return undefined;
  }
}

function secretsOf(definitions: readonly VariableDefinition[], variables: Variables): string[] {
  const secrets = definitions.filter(({ isSecret }) => isSecret);
  const values = secrets.flatMap(({ name, secretParts }) => {
    const value = variables[name] ?? "";
    return [value, ...(secretParts?.(value) ?? [])];
  });
  return values.filter((secret) => secret !== "");
}

/** Freezes plain objects and lists, but not class instances such as schemas. */
function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) {
    if (isPlain(child)) deepFreeze(child);
  }
  return Object.freeze(value);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
