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
} from "../catalog/coverage.ts";
import type { Observation } from "../catalog/observation.ts";
import type { Release } from "../catalog/release.ts";
import { type Config, readConfig } from "../config/index.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import { StoreSettingError } from "../ports/store.ts";
import { stateRecords } from "../store/state-chunks.ts";
import { EXIT, type Invocation, noStateProblem, reportStoreError } from "./invocation.ts";

export interface CoverageRequest {
  /** `YYYY-MM` */
  readonly month: string;
  readonly json: boolean;
}

/** Compares the splits of a month with the exchanges' own lists. Takes no lock and changes nothing. */
export async function coverage({ month, json }: CoverageRequest, invocation: Invocation): Promise<number> {
  const config = readConfig(invocation);
  try {
    const report = measureCoverage(await readRecords(config), month);
    const lines = json ? [JSON.stringify(jsonReport(report))] : textReport(report);
    for (const text of lines) invocation.out(text);
    return EXIT.ok;
  } catch (error) {
    return reportStoreError(error, config, invocation);
  }
}

async function readRecords({
  store,
}: Config): Promise<{ readonly releases: readonly Release[]; readonly observations: readonly Observation[] }> {
  const releases: Release[] = [];
  const observations: Observation[] = [];
  let hasState = false;
  for await (const record of stateRecords(store.readState(), ["snapshot", "release", "observation"])) {
    hasState = true;
    if (record.kind === "release") releases.push(record.value);
    else if (record.kind === "observation") observations.push(record.value);
  }
  if (hasState) return { releases, observations };
  throw new StoreSettingError(noStateProblem(store));
}

/** Returns the report as text lines. */
function textReport({ month, lists, uncompared }: CoverageReport): readonly string[] {
  return [
    `Coverage of ${month}, by ex date`,
    ...lists.flatMap((list) => ["", ...listLines(list)]),
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

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
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
function jsonReport({ month, lists, uncompared }: CoverageReport): unknown {
  return { month, lists: lists.map(jsonList), uncompared: Object.fromEntries(uncompared) };
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
    extra: extra.map(({ ticker, exchange, company, ratio, exDate, sources, url }) => ({
      ticker,
      exchange,
      company,
      ratio: ratioCode(ratio),
      ex_date: exDate,
      sources,
      url,
    })),
  };
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
