import { accessSync, constants, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { PlatformDefinition } from "../chat/platform-definition.ts";
import { ARTICLES_FILE, SPLITS_FILE } from "../data-service/schema.ts";
import { isJsonObject } from "../lib/json.ts";
import type { SourceDefinition } from "../sources/source-definition.ts";
import { keysOf, mergeSettings, settingProblems } from "./overlay.ts";
import {
  cron,
  duration,
  fraction,
  invalid,
  oneOf,
  type SettingResult,
  settingOf,
  timezone,
  wholeNumber,
  wholeNumbers,
} from "./value-schemas.ts";

/** Data source of the embedded data service. `auto`: the live sources if they can be reached. */
export type ServiceSource = { readonly kind: "auto" | "sample" } | LiveSource | FolderOfRecords;

/** One live source alone. */
interface LiveSource {
  readonly kind: "live";
  readonly id: string;
}

interface FolderOfRecords {
  readonly kind: "folder";
  /** Absolute. */
  readonly path: string;
}

const SOURCE_FILES = [SPLITS_FILE, ARTICLES_FILE];

export type Settings = z.infer<ReturnType<typeof settingsSchema>>;

/** Validated sections of the chat platforms and the live sources, by their names. */
export type DefinedSections = Readonly<Record<string, unknown>>;

export interface ReadSettings {
  readonly settings: Settings;
  readonly sections: DefinedSections;
}

export interface SettingSources {
  /** Content of config/default.yaml. */
  readonly defaults: unknown;
  readonly overlay: unknown;
  /** Folder that relative paths are resolved against. */
  readonly folder: string;
  readonly platforms: readonly Pick<PlatformDefinition, "name" | "section">[];
  readonly liveSources: readonly Pick<SourceDefinition, "id" | "name" | "section">[];
}

/** Validates the merged settings. Reports every problem; null if there is one. */
export function readSettings(sources: SettingSources, problems: string[]): ReadSettings | null {
  const { defaults, overlay, folder, platforms, liveSources } = sources;
  const merged = mergeSettings(defaults, overlay);
  const known = keysOf(defaults);
  const sections: Record<string, unknown> = {};
  const general: unknown = isJsonObject(merged) ? { ...merged } : merged;
  for (const { name, section } of [...platforms, ...liveSources]) {
    if (section === null || !isJsonObject(general)) continue;
    const given = { [name]: general[name] ?? {} };
    const read = z.object({ [name]: section }).safeParse(given);
    if (read.success) sections[name] = read.data[name];
    else problems.push(...settingProblems(read.error, given, known));
    Reflect.deleteProperty(general, name);
  }
  const sourceIds = liveSources.map(({ id }) => id);
  const read = settingsSchema(folder, sourceIds).safeParse(general);
  if (!read.success) problems.push(...settingProblems(read.error, general, known));
  return read.success && problems.length === 0 ? { settings: read.data, sections } : null;
}

/** Every key of config/default.yaml except the sections of the chat platforms and the live sources. */
function settingsSchema(folder: string, sourceIds: readonly string[]) {
  return z
    .strictObject({
      timezone: timezone(),
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
          source: serviceSource(folder, sourceIds),
          keepAfterExDate: wholeNumber(0, 3_650),
          requestsPerMinute: wholeNumber(1, 1_000_000),
        })
        .readonly(),
    })
    .readonly();
}

function serviceSource(folder: string, sourceIds: readonly string[]): z.ZodType<ServiceSource> {
  const words = ["auto", ...sourceIds, "sample"].join(", ");
  return settingOf(`${words} or a folder with ${SOURCE_FILES.join(" and ")}`, (value) => {
    if (value === "auto" || value === "sample") return { value: { kind: value } };
    if (typeof value === "string" && sourceIds.includes(value)) return { value: { kind: "live", id: value } };
    return typeof value === "string" && value !== "" ? readSourceFolder(resolve(folder, value)) : invalid();
  });
}

function readSourceFolder(path: string): SettingResult<ServiceSource> {
  if (!kindOfFile(path)?.isDirectory()) return invalid(`the folder ${path} doesn't exist`);
  const unreadable = SOURCE_FILES.filter((name) => !isReadableFile(join(path, name)));
  if (unreadable.length === 0) return { value: { kind: "folder", path } };
  return invalid(`in ${path}, ${unreadable.join(" and ")} can't be read`);
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return kindOfFile(path)?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** Null if the path cannot be accessed. */
function kindOfFile(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
