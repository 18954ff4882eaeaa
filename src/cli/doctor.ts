import { join } from "node:path";
import { PLATFORMS } from "../chat/index.ts";
import {
  type Config,
  ConfigError,
  disabledSources,
  hasExternalChat,
  readConfig,
  selectedSources,
  sourceContact,
} from "../config/index.ts";
import { ROLES } from "../config/roles.ts";
import { readArticleRow, readSplitRow } from "../data-service/rows.ts";
import { ARTICLES_FILE, SPLITS_FILE } from "../data-service/schema.ts";
import { followFile } from "../data-service/server/followed-file.ts";
import type { Destination } from "../domain/alert/destination.ts";
import { type CheckResult, fail, off, pass, warn, withPrefix } from "../lib/check-result.ts";
import { systemClock } from "../lib/clock.ts";
import { collect, groupBy } from "../lib/collections.ts";
import { errorMessage } from "../lib/error-text.ts";
import { readVersion } from "../lib/package.ts";
import { createRedactor } from "../lib/redact.ts";
import { formatCount } from "../messages/format.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { Installation, StateRecord } from "../ports/state-records.ts";
import { StoreError } from "../ports/store.ts";
import { noSourceText } from "../sources/no-source.ts";
import { createArticleReader } from "../sources/reading/article-reader.ts";
import { createQuarantine } from "../sources/reading/quarantine.ts";
import { ReaderThread } from "../sources/reading/reader-thread.ts";
import type { SourceCheckContext } from "../sources/source-definition.ts";
import { createHostQueue } from "../sources/web/host-queue.ts";
import { checkRemote } from "./doctor-data-service.ts";
import { checkRunning } from "./doctor-running.ts";
import { folderWithdrawals } from "./folder-withdrawals.ts";
import { EXIT, type Invocation } from "./invocation.ts";
import { SAMPLE_DESCRIPTION } from "./startup-message.ts";

/** Runs all checks and prints a line for each. Takes no lock, so it also works while splitwatch runs. */
export async function doctor(invocation: Invocation): Promise<number> {
  const checked = checkConfiguration(invocation);
  if ("results" in checked) return report(checked.results, invocation);
  const { config } = checked;
  const redact = createRedactor(config.secrets, config.credentialPatterns);
  const results = [
    pass(`configuration: OK (config/default.yaml${config.overlay === null ? "" : ` and ${config.overlay}`})`),
    ...config.warnings.map(warn),
    ...(config.roles.length < ROLES.length ? [pass(`roles: ${config.roles.join(", ")}`)] : []),
    ...(await config.store.check()),
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
    return { results: [...error.problems.map(fail), ...error.warnings.map(warn)] };
  }
}

/** One result for each disabled live source; none if an external data service is used. */
function checkDisabledSources(config: Config): readonly CheckResult[] {
  if (config.splitsApi !== null) return [];
  return disabledSources(config).map(({ label, reason }) => off(`${label}: off; ${reason}`));
}

function report(results: readonly CheckResult[], invocation: Invocation): number {
  for (const result of results) invocation.out(formatCheck(result));
  return results.every(({ status }) => status !== "fail") ? EXIT.ok : EXIT.failed;
}

export function formatCheck({ status, text }: CheckResult): string {
  return `${LABELS[status]} ${text}`;
}

const LABELS: Readonly<Record<CheckResult["status"], string>> = {
  pass: "ok  ",
  warn: "warn",
  fail: "FAIL",
  off: "off ",
};

/** Runs the checks of every chat platform. A platform that is not configured has one result. */
export async function checkPlatforms(config: Config, platforms = PLATFORMS): Promise<readonly CheckResult[]> {
  const records = await readRecords(config);
  const results = platforms.map(async ({ name, startupHint }) => {
    const platform = config.platforms.find(({ definition }) => definition.name === name);
    if (platform === undefined) return withPrefix(name, [off(notConfiguredText(startupHint))]);
    const { definition, settings } = platform;
    const context = {
      clock: systemClock,
      log: SILENT_LOG,
      server: config,
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

/** Returns no records if the state can't be read: the store's own check reports that problem. */
async function readRecords(config: Config): Promise<readonly StateRecord[]> {
  try {
    return await collect(config.store.readState(["rule", "installation"]));
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  }
}

/** Returns the platform's channels with rules, without duplicates. */
function channelsWithRules(records: readonly StateRecord[], platform: string): readonly Destination[] {
  const destinations = records.flatMap((record) => (record.kind === "rule" ? [record.value.destination] : []));
  const channels = destinations.filter(
    (destination) => destination.platform === platform && destination.kind === "channel",
  );
  return [...new Map(channels.map((channel) => [channel.id, channel])).values()];
}

/** Returns the self-installed workspaces, including removed workspaces that are still stored. */
function installationsOf(records: readonly StateRecord[], platform: string): readonly Installation[] {
  return records.flatMap(({ kind, value }) => (kind === "installation" && value.platform === platform ? [value] : []));
}

/** Checks the data source and, unless PORT is 0, whether splitwatch is running and ready. */
export async function checkDataService(config: Config): Promise<readonly CheckResult[]> {
  const { splitsApi } = config;
  const source = splitsApi ? await checkRemote(splitsApi) : await checkSource(config);
  return config.port === 0 ? source : [...source, await checkRunning(config, systemClock)];
}

async function checkSource(config: Config): Promise<readonly CheckResult[]> {
  const { source } = config.service;
  switch (source.kind) {
    case "folder":
      return [await checkFolder(source.path)];
    case "sample":
      return [pass(`data service: embedded, with ${SAMPLE_DESCRIPTION}`)];
    case "live":
    case "auto":
      return checkLiveSources(config);
  }
}

async function checkLiveSources(config: Config): Promise<readonly CheckResult[]> {
  const reader = new ReaderThread({ quarantine: createQuarantine(), clock: systemClock, log: SILENT_LOG });
  const context: SourceCheckContext = {
    clock: systemClock,
    queue: createHostQueue(systemClock),
    reader,
    version: readVersion(),
    contact: sourceContact(config),
  };
  const checks = await Promise.all(
    selectedSources(config).map(async ({ definition, settings }) => ({
      confirmsOnly: definition.confirmsOnly ?? false,
      results: await definition.check(settings, context),
    })),
  );
  await reader.close();
  const ofSplits = checks.flatMap(({ confirmsOnly, results }) => (confirmsOnly ? [] : results));
  return [summarizeSources(ofSplits, config), ...checks.flatMap(({ results }) => results)];
}

/** A source with several checks is read if none of them failed. */
function summarizeSources(results: readonly CheckResult[], config: Config): CheckResult {
  const outcomes = [
    ...groupBy(
      results.flatMap(({ source }) => source ?? []),
      ({ name }) => name,
    ),
  ].map(([label, checks]) => ({
    label,
    isRead: checks.every(({ isRead }) => isRead),
    isUnreachable: checks.every(({ isUnreachable }) => isUnreachable),
  }));
  if (outcomes.length === 0)
    return fail("data service: every source of splits is off; enable one in the settings, or set service.source");
  const read = outcomes.filter(({ isRead }) => isRead).length;
  if (read > 0) return pass(`data service: embedded, ${read} of ${formatCount(outcomes.length, "split source")} OK`);
  const text = `data service: ${noSourceText(outcomes, config.usesProxy)}`;
  if (config.service.source.kind === "live") return fail(text);
  const served = hasExternalChat(config) ? "nothing is shown" : `${SAMPLE_DESCRIPTION} is shown`;
  return fail(`${text}; ${served} until one is read for the first time`);
}

async function checkFolder(path: string): Promise<CheckResult> {
  try {
    const [splits, articles] = await Promise.all([
      followFile(join(path, SPLITS_FILE), readSplitRow, systemClock),
      followFile(join(path, ARTICLES_FILE), readArticleRow, systemClock),
    ]);
    const unusable = [...splits.problems(), ...articles.problems()];
    const withdrawals = await withdrawalsIn({ splits: splits.rows, articles: articles.rows });
    const problems = [
      ...(unusable.length === 0 ? [] : [unusableLinesText(unusable)]),
      ...(withdrawals.length === 0 ? [] : [firstOnes(withdrawals)]),
    ];
    const contents = `${formatCount(splits.rows.length, "split")} and ${formatCount(articles.rows.length, "article")}`;
    const text = `data service: embedded, with ${contents} in ${path}`;
    return problems.length === 0 ? pass(text) : warn([text, ...problems].join("; "));
  } catch (error) {
    const reason = errorMessage(error);
    return fail(`data service: ${path} can't be read (${reason}); check service.source`);
  }
}

async function withdrawalsIn(rows: Parameters<typeof folderWithdrawals>[0]): Promise<readonly string[]> {
  const reader = new ReaderThread({ quarantine: createQuarantine(), clock: systemClock, log: SILENT_LOG });
  try {
    return await folderWithdrawals(rows, createArticleReader(reader, SILENT_LOG), systemClock.now());
  } finally {
    await reader.close();
  }
}

const MAX_NAMED = 5;

/** `problems`: file, line and reason of each line. */
function unusableLinesText(problems: readonly string[]): string {
  return `some lines can't be used: ${firstOnes(problems)}`;
}

function firstOnes(texts: readonly string[]): string {
  const hidden = texts.length - MAX_NAMED;
  return `${texts.slice(0, MAX_NAMED).join("; ")}${hidden > 0 ? `; and ${hidden} more` : ""}`;
}
