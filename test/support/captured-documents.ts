import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/cli/run.ts";
import { anInvocation } from "./recorded-invocation.ts";

const SCORE = new URL("../../scripts/score-captures.mjs", import.meta.url).href;

type Line = Readonly<Record<string, unknown>>;

/** Counts of one source. */
interface SourceScore {
  readonly source: string;
  readonly documents: number;
  readonly right: number;
  readonly wrong: number;
  readonly refused: number;
}

export interface CapturesScore {
  readonly sources: readonly SourceScore[];
  /** One for each split that is wrong or refused. */
  readonly problems: readonly string[];
}

interface ScoreModule {
  readonly scoreCaptures: (records: readonly Line[], expected: readonly Line[]) => CapturesScore;
  readonly scoreLines: (score: CapturesScore) => readonly string[];
}

/** The comparison of `npm run eval`. */
export async function captureScoring(): Promise<ScoreModule> {
  return (await import(SCORE)) as ScoreModule;
}

/** Reads a folder of captured documents with `splitwatch read`, and compares the result with its expected.jsonl. */
export async function scoreFolder(folder: string): Promise<CapturesScore> {
  const { scoreCaptures } = await captureScoring();
  const invocation = anInvocation(folder);
  await run(["read", "all", folder], invocation);
  return scoreCaptures(
    invocation.printed.flatMap(parseLines),
    parseLines(readFileSync(join(folder, "expected.jsonl"), "utf8")),
  );
}

function parseLines(text: string): readonly Line[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Line);
}
