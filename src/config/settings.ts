import { accessSync, constants, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { ARTICLES_FILE, SPLITS_FILE } from "../data-service/server/source-files.ts";
import { newswireSettings } from "./newswire-settings.ts";
import { keysOf, mergeSettings, settingProblems } from "./overlay.ts";
import {
  boolean,
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
} from "./values.ts";

/** Where the embedded data service gets its data. `auto`: from the wires, where they can be reached. */
export type ServiceSource = { readonly kind: "auto" | "wires" | "sample" } | FolderOfRecords;

interface FolderOfRecords {
  readonly kind: "folder";
  /** Absolute. */
  readonly path: string;
}

const SOURCE_FILES = [SPLITS_FILE, ARTICLES_FILE];

export type Settings = z.infer<ReturnType<typeof settingsSchema>>;

/**
 * The settings of `defaults` with those of `overlay` laid over them, or all that is wrong with them. `folder` is where
 * relative paths count from.
 */
export function readSettings(
  defaults: unknown,
  overlay: unknown,
  folder: string,
): { readonly settings: Settings } | { readonly problems: readonly string[] } {
  const laidOver = mergeSettings(defaults, overlay);
  const read = settingsSchema(folder).safeParse(laidOver);
  if (read.success) return { settings: read.data };
  return { problems: settingProblems(read.error, laidOver, keysOf(defaults)) };
}

/** Every key of config/default.yaml. */
function settingsSchema(folder: string) {
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
          source: serviceSource(folder),
          keepAfterExDate: wholeNumber(0, 3_650),
          requestsPerMinute: wholeNumber(1, 1_000_000),
        })
        .readonly(),
      newswires: newswireSettings(),
      slack: z.strictObject({ restrictSubscribe: boolean(), messagesPerMinute: wholeNumber(1, 10_000) }).readonly(),
    })
    .readonly();
}

function serviceSource(folder: string): z.ZodType<ServiceSource> {
  return settingOf(`auto, wires, sample or a folder with ${SOURCE_FILES.join(" and ")}`, (value) => {
    if (value === "auto" || value === "wires" || value === "sample") return { value: { kind: value } };
    return typeof value === "string" && value !== "" ? readSourceFolder(resolve(folder, value)) : invalid();
  });
}

function readSourceFolder(path: string): SettingResult<ServiceSource> {
  if (!kindOfFile(path)?.isDirectory()) return invalid(`there is no folder ${path}`);
  const lacking = SOURCE_FILES.filter((name) => !isReadableFile(join(path, name)));
  if (lacking.length === 0) return { value: { kind: "folder", path } };
  return invalid(`in ${path}, ${lacking.join(" and ")} cannot be read`);
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return kindOfFile(path)?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** Null where nothing can be found at the path, for whatever reason. */
function kindOfFile(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
