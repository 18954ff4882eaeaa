import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ratioCode } from "../../src/domain/split/ratio.ts";
import { extractFacts } from "../../src/extraction/extract.ts";

const corpus = process.env.SPLITWATCH_CORPUS ?? "";
const labelsFile = join(corpus, "authority-labels.jsonl");
const isMissing = corpus === "" || !existsSync(labelsFile);
const skipped = isMissing ? "skipped: SPLITWATCH_CORPUS names no folder with authority-labels.jsonl: " : "";

/** Manual label of a text about the authority for a split: how far it has come, and the ratio if it is set. */
interface Label {
  readonly id: string;
  readonly stage: string;
  readonly fixed_ratio: string | null;
}

describe.skipIf(isMissing)("extraction from the labeled texts on authorities", () => {
  it(`${skipped}announces a split only where the ratio is set, and with this ratio`, () => {
    const announcements = readLabeled().filter(({ kind }) => kind === "reverse_split" || kind === "ads_ratio_change");
    expect(announcements.length).toBeGreaterThan(0);
    expect(announcements.filter(({ stage }) => stage !== "ratio_set")).toEqual([]);
    expect(announcements.filter(({ ratios, fixed_ratio }) => ratios.some((ratio) => ratio !== fixed_ratio))).toEqual(
      [],
    );
  });

  it(`${skipped}reports no approval where the vote failed or was adjourned`, () => {
    const open = readLabeled().filter(({ stage }) => stage === "failed" || stage === "adjourned");
    expect(open.length).toBeGreaterThan(0);
    expect(open.filter(({ kind }) => kind !== "other")).toEqual([]);
  });
});

function readLabeled() {
  const labels = new Map((jsonLines("authority-labels.jsonl") as readonly Label[]).map((label) => [label.id, label]));
  const texts = jsonLines("authority.jsonl") as readonly { id: string; heading: string; content: string }[];
  return texts.flatMap((text) => {
    const label = labels.get(text.id);
    if (label === undefined) return [];
    const { kind, splits } = extractFacts(text);
    const ratios = splits.flatMap(({ ratio }) => (ratio ? [ratioCode(ratio)] : []));
    return [{ id: label.id, stage: label.stage, fixed_ratio: label.fixed_ratio, kind, ratios }];
  });
}

function jsonLines(file: string): readonly unknown[] {
  const lines = readFileSync(join(corpus, file), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line): unknown => JSON.parse(line));
}
