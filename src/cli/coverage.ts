import { resolve } from "node:path";
import {
  type ComparedField,
  type ComparedList,
  type Comparison,
  type CoverageReport,
  type Difference,
  type ExtraRow,
  type GroupCoverage,
  type HaltCoverage,
  type ListCoverage,
  type ListedSplit,
  type MissedSplit,
  measureCoverage,
  type SavedCoverage,
} from "../catalog/coverage.ts";
import type { Observation } from "../catalog/observation.ts";
import type { Release } from "../catalog/release.ts";
import { type Config, readConfig } from "../config/index.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import { readBytes } from "../lib/bounded-file.ts";
import { fileReadProblem, quoteValue } from "../lib/error-text.ts";
import { StoreSettingError } from "../ports/store.ts";
import { EXIT, type Invocation, noStateProblem, reportStoreError } from "./invocation.ts";
import { parseSavedSplits, type SavedSplits, SavedSplitsError } from "./saved-splits.ts";

export interface CoverageRequest {
  /** `YYYY-MM` */
  readonly month: string;
  /** Saved calendar to compare with, too; null: none. */
  readonly file: string | null;
  readonly json: boolean;
}

/** Compares the splits of a month with the exchanges' own lists. Takes no lock and changes nothing. */
export async function coverage({ month, file, json }: CoverageRequest, invocation: Invocation): Promise<number> {
  const config = readConfig(invocation);
  const saved = file === null ? null : await readSavedFile(file, invocation);
  if (saved === "failed") return EXIT.usage;
  try {
    const report = { ...measureCoverage(await readRecords(config), month, saved?.splits ?? null), file: saved };
    const lines = json ? [JSON.stringify(jsonReport(report))] : textReport(report);
    for (const text of lines) invocation.out(text);
    return EXIT.ok;
  } catch (error) {
    return reportStoreError(error, config, invocation);
  }
}

/** A saved calendar with the name of its file. */
interface SavedFile extends SavedSplits {
  readonly name: string;
}

const MAX_FILE_BYTES = 20_000_000;

/** Reads a saved calendar, or prints why it can't be read. */
async function readSavedFile(name: string, invocation: Invocation): Promise<SavedFile | "failed"> {
  try {
    const text = (await readBytes(resolve(invocation.folder, name), MAX_FILE_BYTES)).toString("utf8");
    return { name, ...parseSavedSplits(text, name) };
  } catch (error) {
    const reason = error instanceof SavedSplitsError ? `can't be used: ${error.message}` : fileReadProblem(error);
    if (reason === undefined) throw error;
    invocation.err(`splitwatch: --file: ${quoteValue(name)} ${reason}`);
    return "failed";
  }
}

interface Report extends CoverageReport {
  readonly file: SavedFile | null;
}

async function readRecords({
  store,
}: Config): Promise<{ readonly releases: readonly Release[]; readonly observations: readonly Observation[] }> {
  const releases: Release[] = [];
  const observations: Observation[] = [];
  let hasState = false;
  for await (const record of store.readState(["snapshot", "release", "observation"])) {
    hasState = true;
    if (record.kind === "release") releases.push(record.value);
    else if (record.kind === "observation") observations.push(record.value);
  }
  if (hasState) return { releases, observations };
  throw new StoreSettingError(noStateProblem(store));
}

/** Returns the report as text lines. */
function textReport({ month, lists, uncompared, saved, file }: Report): readonly string[] {
  return [
    `Coverage of ${month}, by ex date`,
    ...lists.flatMap((list) => ["", ...listLines(list)]),
    ...(saved === null || file === null ? [] : ["", ...savedLines(saved, file)]),
    "",
    ...[...uncompared].map(
      ([exchange, rows]) => `${exchange}: ${count(rows, "row")}, not compared: no list is available`,
    ),
    'Recall: share of the list\'s splits with a row in /v1/splits. "all": with all sources. "others": with all sources except the list itself.',
    "Lead: hours from when a split was first seen to 09:30 in New York on its ex date.",
  ];
}

function listLines(list: ListCoverage): readonly string[] {
  const title = `${list.exchanges.join(", ")} by the list of ${list.source}`;
  if (list.problem !== null) return [`${title}: not compared: ${list.problem}`];
  const { splits, readSince, funds, halts } = list;
  return [
    `${title}: ${count(splits, "split")}`,
    ...(readSince === null ? [] : [`  The list was first read on ${readSince}: earlier revisions are unknown.`]),
    ...groupLines(list),
    ...(halts === null ? [] : haltLines(halts, splits)),
    ...(funds === null ? [] : [`  Exchange-traded funds: ${count(funds.splits, "split")}`, ...groupLines(funds)]),
  ];
}

/** Maximum number of unreadable lines of a file that the text names. */
const MAX_UNREADABLE = 20;

function savedLines({ splits, comparison, extra }: SavedCoverage, file: SavedFile): readonly string[] {
  const { name, skipped, unreadable, splits: all } = file;
  const others = all.length - splits;
  return [
    `All exchanges by ${name}: ${count(splits, "split")}${others === 0 ? "" : `; ${others} in other months`}`,
    ...(skipped === 0
      ? []
      : [`  skipped: ${count(skipped, "forward split or stock dividend", "forward splits and stock dividends")}`]),
    ...unreadable.slice(0, MAX_UNREADABLE).map((line) => `  unreadable: ${line}`),
    ...(unreadable.length > MAX_UNREADABLE ? [`  unreadable: ${unreadable.length - MAX_UNREADABLE} more`] : []),
    ...comparisonLines("all", comparison, splits),
    ...comparison.missed.map((split) => `  missed: ${describeMissed(split)}`),
    ...comparison.differences.map((difference) => `  differs: ${describeDifference(difference)}`),
    ...extra.map((row) => `  extra: ${describeExtra(row)}`),
  ];
}

function groupLines({ splits, all, others, extra }: GroupCoverage): readonly string[] {
  return [
    ...comparisonLines("all", all, splits),
    ...comparisonLines("others", others, splits),
    ...all.missed.map((split) => `  missed: ${describeMissed(split)}`),
    ...others.missed
      .filter((split) => !all.missed.some((missed) => isSame(split, missed)))
      .map((split) => `  missed by others: ${describeMissed(split)}`),
    ...all.differences.map((difference) => `  differs: ${describeDifference(difference)}`),
    ...others.differences.map((difference) => `  differs, others: ${describeDifference(difference)}`),
    ...extra.map((row) => `  extra: ${describeExtra(row)}`),
  ];
}

function haltLines({ confirmed, unlisted }: HaltCoverage, splits: number): readonly string[] {
  return [
    `  halts  on the trading day before the ex date: ${formatShare(confirmed, splits)}`,
    ...unlisted.map(({ ticker, exDate, url }) => `  halt without a listed split: ${ticker} before ${exDate} (${url})`),
  ];
}

function comparisonLines(name: string, comparison: Comparison, splits: number): readonly string[] {
  const { found, agreement, leadHours, firstSources } = comparison;
  const equal = FIELDS.map(
    ({ field, label }) => `equal ${label} ${formatShare(agreement[field].equal, agreement[field].compared)}`,
  );
  const lines = [`  ${name.padEnd(6)} recall ${formatShare(found, splits)}; ${equal.join(", ")}`];
  if (leadHours === null) return lines;
  const firstSourcesText = [...firstSources].map(([source, number]) => `${source} ${number}`).join(", ");
  return [
    ...lines,
    `         lead median ${formatHours(leadHours.median)} h, worst decile ${formatHours(leadHours.worstDecile)} h; first: ${firstSourcesText}`,
  ];
}

const FIELDS = [
  { field: "ratio", label: "ratio" },
  { field: "exDate", label: "ex date" },
  { field: "exchange", label: "exchange" },
] as const satisfies readonly { readonly field: ComparedField; readonly label: string }[];

function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** `98.1 % (51 of 52)`; `-` if there is nothing to count. */
function formatShare(part: number, whole: number): string {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;
}

function formatHours(value: number): string {
  return value.toFixed(1);
}

function isSame(a: ListedSplit, b: ListedSplit): boolean {
  return a.ticker === b.ticker && a.exDate === b.exDate;
}

function describeSplit({ ticker, ratio, exDate }: ListedSplit): string {
  return `${ticker} ${ratio === null ? "" : `${ratioCode(ratio)} `}on ${exDate}`;
}

function describeMissed(split: MissedSplit): string {
  const reason = split.lacks === null ? "no source states it" : `not listed, missing: ${split.lacks.join(", ")}`;
  return `${describeSplit(split)}: ${reason} (${split.url})`;
}

function describeDifference({ split, field, listed, catalog }: Difference): string {
  const label = FIELDS.find((definition) => definition.field === field)?.label ?? field;
  return `${describeSplit(split)}: ${label} ${listed} in the list, ${catalog} in the catalog (${split.url})`;
}

function describeExtra({ ticker, exchange, ratio, exDate, sources, url }: ExtraRow): string {
  return `${exchange}:${ticker} ${ratioCode(ratio)} on ${exDate}, stated by ${sources.join(", ")} (${url})`;
}

/** Returns the report as JSON, with field names as in `splitwatch extract`. Proportions are 0 to 1; null if nothing was counted. */
function jsonReport({ month, lists, uncompared, saved, file }: Report): unknown {
  return {
    month,
    lists: lists.map(jsonList),
    ...(saved !== null && file !== null && { file: jsonSaved(saved, file) }),
    uncompared: Object.fromEntries(uncompared),
  };
}

function jsonSaved({ splits, comparison, extra }: SavedCoverage, { name, skipped, unreadable }: SavedFile): unknown {
  return {
    name,
    splits,
    skipped,
    unreadable,
    all: jsonComparison(comparison, splits),
    extra: extra.map(jsonExtra),
  };
}

function jsonList(list: ListCoverage): unknown {
  const { source, exchanges, problem } = list;
  return problem === null ? { source, exchanges, problem, ...jsonCompared(list) } : { source, exchanges, problem };
}

function jsonCompared(list: ComparedList): object {
  const { readSince, funds, halts } = list;
  return {
    read_since: readSince,
    ...jsonGroup(list),
    funds: funds && jsonGroup(funds),
    halts: halts && {
      confirmed: halts.confirmed,
      without_split: halts.unlisted.map(({ ticker, exchange, exDate, url }) => ({
        ticker,
        exchange,
        ex_date: exDate,
        url,
      })),
    },
  };
}

function jsonGroup({ splits, all, others, extra }: GroupCoverage): object {
  return {
    splits,
    all: jsonComparison(all, splits),
    others: jsonComparison(others, splits),
    extra: extra.map(jsonExtra),
  };
}

function jsonExtra({ ticker, exchange, company, ratio, exDate, sources, url }: ExtraRow): unknown {
  return { ticker, exchange, company, ratio: ratioCode(ratio), ex_date: exDate, sources, url };
}

function jsonComparison(comparison: Comparison, splits: number): unknown {
  const { found, missed, agreement, differences, leadHours, firstSources } = comparison;
  return {
    found,
    recall: proportion(found, splits),
    equal_ratio: jsonAgreement(agreement.ratio),
    equal_ex_date: jsonAgreement(agreement.exDate),
    equal_exchange: jsonAgreement(agreement.exchange),
    missed: missed.map((split) => ({ ...jsonSplit(split), lacks: split.lacks })),
    differences: differences.map(({ split, field, listed, catalog }) => ({
      ...jsonSplit(split),
      field: field === "exDate" ? "ex_date" : field,
      listed,
      catalog,
    })),
    lead_hours: leadHours && { median: leadHours.median, worst_decile: leadHours.worstDecile },
    first_sources: Object.fromEntries(firstSources),
  };
}

function jsonAgreement({ equal, compared }: Comparison["agreement"][ComparedField]): unknown {
  return { equal, compared, share: proportion(equal, compared) };
}

function jsonSplit({ ticker, exchange, ratio, exDate, url }: ListedSplit): Readonly<Record<string, unknown>> {
  return { ticker, exchange, ratio: ratio && ratioCode(ratio), ex_date: exDate, url };
}

function proportion(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
