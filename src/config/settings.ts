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
    timezone: timezone().describe(
      "IANA time zone of all schedules (cron expressions), and of reminders, digests and quiet hours unless a person or a channel sets its own.",
    ),
    roles: roles().describe(
      "Work of this process: source reads the live sources, poll polls the data service and makes the alerts, deliver sends them, chat receives commands on chat platforms, service serves the data service, web serves the page and calendars. A store in DATA_DIR has one process with all roles; with DATABASE_URL, several processes can divide them.",
    ),
    poll: z
      .strictObject({
        splits: cron().describe("Schedule of the list of splits."),
        articles: cron().describe("Schedule of press releases."),
        missingPolls: wholeNumber(1, 1_000).describe(
          "Number of complete lists in a row without a split before it counts as missing.",
        ),
        shrinkGuard: fraction().describe(
          "Share of its splits, from 0 to 1, that a list may lose in one poll. A list that loses more is suspicious until it repeats missingPolls times in a row.",
        ),
      })
      .readonly()
      .describe("Polling of the data service."),
    alerts: z
      .strictObject({
        firstRun: oneOf(["silent", "digest"]).describe(
          "Effect of the first list of a data source. silent: no alerts. digest: each channel with a rule receives one message with the listed splits.",
        ),
        expireAfter: duration("1m", "90d").describe(
          "An alert that is delayed longer than this is sent as late, with its true time.",
        ),
      })
      .transform(({ firstRun, expireAfter }) => ({ firstRun, expireAfterMs: expireAfter }))
      .readonly(),
    reminders: z
      .strictObject({
        cron: cron().describe(
          "Schedule of reminders, in the time zone of each destination. Each reminder is sent once, at the first of these times at which it is due.",
        ),
        before: wholeNumbers(0, 30).describe(
          "Trading days before the ex date on which reminders are sent. 0 is the ex date itself: the event 'effective'.",
        ),
      })
      .readonly(),
    digest: z
      .strictObject({
        cron: cron().describe(
          "Schedule of digests, in the time zone of each destination with a digest. Alerts for an ex date before the next digest are sent immediately.",
        ),
      })
      .readonly(),
    service: z
      .strictObject({
        source: SERVICE_SOURCE_SCHEMA.describe(
          "Data source: auto, wires, sample, or a folder with splits.jsonl and articles.jsonl, relative to the working directory. wires: only the live sources (newswires and sources). sample: sample data with invented companies. auto: the live sources; until one of them has been reached for the first time, sample data, marked as such, or nothing if an external chat platform is connected.",
        ),
        keepAfterExDate: wholeNumber(0, 3_650).describe("Days after its ex date during which a split stays listed."),
        requestsPerMinute: wholeNumber(1, 1_000_000).describe("Maximum number of requests per minute and API key."),
        articleTexts: z
          .strictObject({
            keep: duration("7d", "731d").describe(
              "Time after which a text is deleted, from 7d to 731d. The extracted facts are kept.",
            ),
            serve: oneOf(["full", "excerpt"]).describe(
              "full: /v1/articles serves whole texts. excerpt: it serves their first 400 characters; alerts are not affected.",
            ),
          })
          .transform(({ keep, serve }) => ({ keepMs: keep, serve }))
          .readonly()
          .describe("Texts of press releases. The wires' terms are in docs/sources.md."),
      })
      .readonly()
      .describe("The embedded data service. It runs if SPLITS_API_URL is not set, and in 'splitwatch service'."),
    // The sections of the sources are already extracted, so any remaining key is unknown.
    sources: z
      .strictObject({})
      .optional()
      .describe(
        "Exchanges and regulators that the embedded data service reads beside the news wires. Each source has a poll interval from 10s to 7d, or 'off', and the origin (scheme, host and port) that its paths are requested from.",
      ),
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

/** A part of the settings with a schema of its own. */
export interface DefinedSection {
  /** Dotted path; empty for the general settings. */
  readonly path: string;
  readonly schema: z.ZodType;
}

/** Schemas of all settings, for their documentation. */
export function settingSchemas(
  platforms: SettingsInput["platforms"],
  liveSources: SettingsInput["liveSources"],
): readonly DefinedSection[] {
  return [{ path: "", schema: SETTINGS_SCHEMA }, ...definedSections(platforms, liveSources)];
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
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isJsonObject(value) ? ownValue(value, String(key)) : undefined;
  }
  return value;
}

function ownValue(section: JsonObject, key: string): unknown {
  return Object.hasOwn(section, key) ? section[key] : undefined;
}
