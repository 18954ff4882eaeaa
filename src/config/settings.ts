import { accessSync, constants, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { PlatformDefinition } from "../chat/platform-definition.ts";
import { ARTICLES_FILE, SPLITS_FILE } from "../data-service/schema.ts";
import { closestWord } from "../lib/closest-word.ts";
import { isJsonObject, type JsonObject } from "../lib/json.ts";
import { LIVE_SOURCE_ID, type SourceDefinition } from "../sources/source-definition.ts";
import { roles } from "./roles.ts";
import {
  cron,
  duration,
  fraction,
  invalid,
  oneOf,
  quoteSetting,
  type SettingResult,
  settingOf,
  timezone,
  wholeNumber,
  wholeNumbers,
} from "./value-schemas.ts";

/**
 * Data source of the embedded data service. `auto`: the live sources, or the sample until one is reachable. `live`: only the
 * live sources.
 */
export type ServiceSource = { readonly kind: "auto" | "live" | "sample" } | FolderOfRecords;

interface FolderOfRecords {
  readonly kind: "folder";
  /** Absolute path. */
  readonly path: string;
}

const SOURCE_FILES = [SPLITS_FILE, ARTICLES_FILE];

/** Values of `service.source` that aren't folders. */
const SOURCE_WORDS = ["auto", LIVE_SOURCE_ID, "sample"];

/** Schema of `service.source`. A folder's path must be absolute: `resolveSourceFolder` has to run before. */
const SERVICE_SOURCE_SCHEMA: z.ZodType<ServiceSource> = settingOf(
  `${SOURCE_WORDS.join(", ")} or a folder with ${SOURCE_FILES.join(" and ")}`,
  (value) => {
    if (value === "auto" || value === "sample") return { value: { kind: value } };
    if (value === LIVE_SOURCE_ID) return { value: { kind: "live" } };
    return typeof value === "string" && value !== "" ? readSourceFolder(value) : invalid();
  },
);

/** Every key of config/default.yaml except the sections of the chat platforms and the live sources. */
const SETTINGS_SCHEMA = z
  .strictObject({
    timezone: timezone(),
    roles: roles(),
    poll: z
      .strictObject({
        splits: cron(),
        articles: cron(),
        missingPolls: wholeNumber(1, 1_000),
        shrinkGuard: fraction(),
      })
      .readonly(),
    alerts: z
      .strictObject({ firstRun: oneOf(["silent", "digest"]), expireAfter: duration("1m", "90d") })
      .transform(({ firstRun, expireAfter }) => ({ firstRun, expireAfterMs: expireAfter }))
      .readonly(),
    reminders: z.strictObject({ cron: cron(), before: wholeNumbers(0, 30) }).readonly(),
    digest: z.strictObject({ cron: cron() }).readonly(),
    service: z
      .strictObject({
        source: SERVICE_SOURCE_SCHEMA,
        keepAfterExDate: wholeNumber(0, 3_650),
        requestsPerMinute: wholeNumber(1, 1_000_000),
        articleTexts: z
          .strictObject({ keep: duration("7d", "731d"), serve: oneOf(["full", "excerpt"]) })
          .transform(({ keep, serve }) => ({ keepMs: keep, serve }))
          .readonly(),
      })
      .readonly(),
    // The sections of the sources are already extracted, so any remaining key is unknown.
    sources: z.strictObject({}).optional(),
  })
  .readonly();

export type Settings = Omit<z.infer<typeof SETTINGS_SCHEMA>, "sources">;

/** Validated sections of the chat platforms and the live sources, by dotted path (`group.name`). */
export type DefinedSections = Readonly<Record<string, unknown>>;

export interface ParsedSettings {
  readonly settings: Settings;
  readonly sections: DefinedSections;
}

export interface SettingsInput {
  /** Content of config/default.yaml. */
  readonly defaults: unknown;
  /** Content of the operator's file, which is merged over the defaults. */
  readonly overlay: unknown;
  /** Base of relative paths. */
  readonly folder: string;
  readonly platforms: readonly Pick<PlatformDefinition, "name" | "section">[];
  readonly liveSources: readonly Pick<SourceDefinition, "settingsKey" | "section">[];
}

/** Validates the merged settings. If any is invalid, adds every problem to `problems` and returns null. */
export function readSettings(input: SettingsInput, problems: string[]): ParsedSettings | null {
  const { defaults, overlay, folder, platforms, liveSources } = input;
  const merged = mergeSettings(defaults, overlay);
  const knownKeys = keysOf(defaults);
  const sections: Record<string, unknown> = {};
  const general: unknown = structuredClone(merged);
  for (const { path, schema } of definedSections(platforms, liveSources)) {
    const keys = path.split(".");
    const section = extractSection(general, keys);
    if (section === undefined) continue;
    const parsed = schema.safeParse(section);
    if (parsed.success) sections[path] = parsed.data;
    else problems.push(...settingProblems(parsed.error, merged, knownKeys, keys));
  }
  resolveSourceFolder(general, folder);
  const parsed = SETTINGS_SCHEMA.safeParse(general);
  if (!parsed.success) problems.push(...settingProblems(parsed.error, merged, knownKeys));
  return parsed.success && problems.length === 0 ? { settings: parsed.data, sections } : null;
}

interface DefinedSection {
  readonly path: string;
  readonly schema: z.ZodType;
}

function definedSections(
  platforms: SettingsInput["platforms"],
  liveSources: SettingsInput["liveSources"],
): readonly DefinedSection[] {
  return [
    ...platforms.flatMap(({ name, section }) => (section === null ? [] : { path: name, schema: section })),
    ...liveSources.map(({ settingsKey, section }) => ({ path: settingsKey, schema: section })),
  ];
}

/**
 * Removes a section from the settings and returns it; a missing section is `{}`. Returns undefined if the parent isn't a
 * section, a problem that the schema of the general settings reports.
 */
function extractSection(settings: unknown, keys: readonly string[]): unknown {
  const group = valueAt(settings, keys.slice(0, -1));
  const name = keys.at(-1) ?? "";
  if (!isJsonObject(group)) return group === undefined && isJsonObject(settings) ? {} : undefined;
  const section = ownValue(group, name) ?? {};
  Reflect.deleteProperty(group, name);
  return section;
}

/** Makes the path of `service.source` absolute. */
function resolveSourceFolder(settings: unknown, folder: string): void {
  const service = valueAt(settings, ["service"]);
  if (!isJsonObject(service)) return;
  const { source } = service;
  const isFolder = typeof source === "string" && source !== "" && !SOURCE_WORDS.includes(source);
  if (isFolder) Object.assign(service, { source: resolve(folder, source) });
}

function readSourceFolder(path: string): SettingResult<ServiceSource> {
  if (!fileStats(path)?.isDirectory()) return invalid(`the folder ${path} doesn't exist`);
  const unreadable = SOURCE_FILES.filter((name) => !isReadableFile(join(path, name)));
  if (unreadable.length === 0) return { value: { kind: "folder", path } };
  return invalid(`in ${path}, ${unreadable.join(" and ")} can't be read`);
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return fileStats(path)?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** Returns null if the path can't be accessed. */
function fileStats(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/** Merges `overlay` over `base`, section by section and key by key. Lists are replaced as a whole. */
function mergeSettings(base: unknown, overlay: unknown): unknown {
  // YAML parses a section with all lines commented out as null.
  if (overlay === undefined || (overlay === null && isJsonObject(base))) return base;
  if (!isJsonObject(base) || !isJsonObject(overlay)) return overlay;
  const keys = [...new Set([...Object.keys(base), ...Object.keys(overlay)])];
  return Object.fromEntries(keys.map((key) => [key, mergeSettings(ownValue(base, key), ownValue(overlay, key))]));
}

/** One line per problem: `poll.missingPolls: got 0, expected …`. The paths in `error` are relative to `section`. */
function settingProblems(
  error: z.ZodError,
  settings: unknown,
  known: readonly string[],
  section: readonly string[] = [],
): string[] {
  return error.issues.flatMap((issue) => {
    const path = [...section, ...issue.path];
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey([...path, key].join("."), known));
    const expected = issue.code === "custom" ? issue.message : "a section: lines of 'key: value' below it";
    return [`${path.join(".")}: got ${quoteSetting(valueAt(settings, path))}, expected ${expected}`];
  });
}

/** Keys of all levels: `poll`, `poll.splits`, … */
function keysOf(settings: unknown, prefix = ""): string[] {
  if (!isJsonObject(settings)) return [];
  return Object.entries(settings).flatMap(([key, value]) => [prefix + key, ...keysOf(value, `${prefix}${key}.`)]);
}

function unknownKey(name: string, known: readonly string[]): string {
  const lastPart = name.slice(name.lastIndexOf(".") + 1);
  const candidates = known.filter((key) => !name.startsWith(`${key}.`));
  const suggestion = candidates.find((key) => key.endsWith(`.${lastPart}`)) ?? closestWord(name, candidates);
  return `${name}: unknown key${suggestion === undefined ? "" : `; did you mean ${suggestion}?`}`;
}

/** Value at the path; undefined if there is none. */
function valueAt(settings: unknown, path: readonly PropertyKey[]): unknown {
  let value = settings;
  for (const key of path) value = isJsonObject(value) ? ownValue(value, String(key)) : undefined;
  return value;
}

function ownValue(section: JsonObject, key: string): unknown {
  return Object.hasOwn(section, key) ? section[key] : undefined;
}
