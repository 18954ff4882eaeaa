import { measureCoverage } from "../../catalog/coverage.ts";
import type { Observation } from "../../catalog/observation.ts";
import type { Release } from "../../catalog/release.ts";
import { type Config, readConfig } from "../../config/index.ts";
import { StoreError } from "../../ports/store.ts";
import { EXIT, type Invocation } from "../invocation.ts";
import { jsonReport, textReport } from "./report.ts";

export interface CoverageRequest {
  /** `YYYY-MM` */
  readonly month: string;
  readonly json: boolean;
}

/** Compares the splits of a month with the exchanges' own lists. Takes no lock and changes nothing in DATA_DIR. */
export async function coverage({ month, json }: CoverageRequest, invocation: Invocation): Promise<number> {
  try {
    const report = measureCoverage(await readRecords(readConfig(invocation)), month);
    const lines = json ? [JSON.stringify(jsonReport(report))] : textReport(report);
    for (const text of lines) invocation.out(text);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    invocation.err(`splitwatch: ${error.message}`);
    return EXIT.failed;
  }
}

async function readRecords({
  dataDir,
  store,
}: Config): Promise<{ readonly releases: readonly Release[]; readonly observations: readonly Observation[] }> {
  const state = await store.readState();
  if (state === null)
    throw new StoreError(
      `DATA_DIR: got ${dataDir}, which contains no splitwatch data, expected the DATA_DIR of an installation`,
    );
  const releases: Release[] = [];
  const observations: Observation[] = [];
  for (const record of state) {
    if (record.kind === "release") releases.push(record.value);
    else if (record.kind === "observation") observations.push(record.value);
  }
  return { releases, observations };
}
