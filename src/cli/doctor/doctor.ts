import { stat } from "node:fs/promises";
import { PLATFORMS } from "../../chat/index.ts";
import { type Config, ConfigError, disabledSources, readConfig } from "../../config/index.ts";
import { listKeys } from "../../data-service/server/key-file.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import { type CheckResult, fail, off, pass, warn, withPrefix } from "../../lib/check-result.ts";
import { systemClock } from "../../lib/clock.ts";
import { errorMessage } from "../../lib/error-text.ts";
import { createRedactor } from "../../lib/redact.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import type { Installation, StateRecord } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";
import { EXIT, type Invocation } from "../invocation.ts";
import { checkDataService } from "./service.ts";

/** Runs all checks and prints a line for each. Takes no lock, so it also works while splitwatch runs. */
export async function doctor(invocation: Invocation): Promise<number> {
  const configured = checkConfiguration(invocation);
  if ("results" in configured) return report(configured.results, invocation);
  const { config } = configured;
  const redact = createRedactor(config.secrets, config.credentialPatterns);
  const results = [
    pass(`configuration: OK (config/default.yaml${config.overlay === null ? "" : ` and ${config.overlay}`})`),
    ...config.unused.map((name) => warn(`${name}: set, but not used by this version`)),
    ...(await config.store.check()),
    ...(await checkKeys(config.dataDir)),
    ...(await checkDataService(config)),
    ...checkDisabledSources(config),
    ...(await checkPlatforms(config)),
  ];
  return report(
    results.map((result) => ({ ...result, text: redact(result.text) })),
    invocation,
  );
}

function checkConfiguration(
  invocation: Invocation,
): { readonly config: Config } | { readonly results: readonly CheckResult[] } {
  try {
    return { config: readConfig(invocation) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { results: error.problems.map(fail) };
  }
}

/** Checks the file of API keys. No result if DATA_DIR doesn't exist. */
async function checkKeys(dataDir: string): Promise<readonly CheckResult[]> {
  const folder = await stat(dataDir).catch(() => null);
  if (!folder?.isDirectory()) return [];
  try {
    const active = (await listKeys(dataDir)).filter(({ revoked }) => revoked === null);
    return [pass(`API keys: ${active.length} active`)];
  } catch (error) {
    return [fail(`API keys: ${errorMessage(error)}`)];
  }
}

/** A line for each live source that the settings disable. No result if no live source is read. */
function checkDisabledSources(config: Config): readonly CheckResult[] {
  if (config.splitsApi !== null) return [];
  return disabledSources(config).map(({ label, reason }) => off(`${label} is off: ${reason}`));
}

function report(results: readonly CheckResult[], invocation: Invocation): number {
  for (const { status, text } of results) invocation.out(`${LABELS[status]} ${text}`);
  return results.every(({ status }) => status !== "fail") ? EXIT.ok : EXIT.failed;
}

const LABELS: Readonly<Record<CheckResult["status"], string>> = {
  pass: "ok  ",
  warn: "warn",
  fail: "FAIL",
  off: "off ",
};

/** Runs the checks of every chat platform. One that is not configured has one result. */
export async function checkPlatforms(config: Config, platforms = PLATFORMS): Promise<readonly CheckResult[]> {
  const records = await readRecords(config);
  const results = platforms.map(async ({ name, startupHint }) => {
    const configured = config.platforms.find(({ definition }) => definition.name === name);
    if (configured === undefined) return withPrefix(name, [off(notConfiguredText(startupHint))]);
    const { definition, settings } = configured;
    const context = {
      clock: systemClock,
      log: SILENT_LOG,
      publicUrl: config.publicUrl,
      channels: channelsWithRules(records, name),
      installations: installationsOf(records, name),
    };
    return withPrefix(name, await definition.check(settings, context));
  });
  return (await Promise.all(results)).flat();
}

function notConfiguredText(startupHint: string | null): string {
  return startupHint === null ? "not configured" : `not configured; set ${startupHint}`;
}

/** No records if the state cannot be read: the store's own check reports that. */
async function readRecords(config: Config): Promise<readonly StateRecord[]> {
  try {
    return [...((await config.store.readState()) ?? [])];
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  }
}

/** Returns each channel of the platform that has a rule once. */
function channelsWithRules(records: readonly StateRecord[], platform: string): readonly Destination[] {
  const destinations = records.flatMap((record) => (record.kind === "rule" ? [record.value.destination] : []));
  const channels = destinations.filter((to) => to.platform === platform && to.kind === "channel");
  return [...new Map(channels.map((to) => [to.id, to])).values()];
}

/** Returns the self-installed workspaces, including removed ones that are still stored. */
function installationsOf(records: readonly StateRecord[], platform: string): readonly Installation[] {
  return records.flatMap(({ kind, value }) => (kind === "installation" && value.platform === platform ? [value] : []));
}
