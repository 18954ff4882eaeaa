import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ratioCode } from "../../src/domain/split/ratio.ts";
import { type ArticleFacts, extractFacts } from "../../src/extraction/extract.ts";

const corpus = process.env.SPLITWATCH_CORPUS ?? "";
const skipped = corpus === "" ? "skipped: SPLITWATCH_CORPUS is not set: " : "";

/** Manual label of one release. `expect_record`: its text states all terms of a split. */
interface Label {
  readonly id: string;
  readonly expect_record: boolean;
  readonly ticker: string | null;
  readonly ratio: string | null;
  readonly ex_date: string | null;
  readonly fractional: string;
  /** The text is cut off before its sentence about fractions. */
  readonly cut?: boolean;
  /** Splits of a release about several funds. */
  readonly records?: readonly { readonly ticker: string; readonly ratio: string }[];
}

interface Release {
  readonly id: string;
  readonly heading: string;
  readonly content: string;
}

interface ExtractedRelease {
  readonly label: Label;
  readonly facts: ArticleFacts;
}

describe.skipIf(corpus === "")("extraction from the labeled releases", () => {
  it(`${skipped}finds complete records, without false ones and with at most one error per field`, () => {
    const read = extractAll();
    const withTerms = read.filter(({ label }) => label.expect_record);
    const withFractionText = withTerms.filter(({ label }) => label.cut !== true);
    const wrongTerms = withTerms.filter((one) => !hasRightTerms(one)).map(({ label }) => label.id);
    const falseRecords = read.filter(({ label, facts }) => !label.expect_record && hasTerms(facts));
    const wrongFractions = withFractionText.filter((one) => !hasRightFraction(one)).map(({ label }) => label.id);
    expect(withTerms.length).toBeGreaterThan(0);
    expect(falseRecords.map(({ label }) => label.id)).toEqual([]);
    // At most one error of each kind; a failure names the others.
    expect(wrongTerms.slice(1)).toEqual([]);
    expect(wrongFractions.slice(1)).toEqual([]);
  });
});

function extractAll(): readonly ExtractedRelease[] {
  const labels = new Map((jsonLines("labels.jsonl") as readonly Label[]).map((label) => [label.id, label]));
  const releases = jsonLines("releases.jsonl") as readonly Release[];
  return releases.flatMap((release) => {
    const label = labels.get(release.id);
    return label ? [{ label, facts: extractFacts(release) }] : [];
  });
}

function hasRightTerms({ label, facts }: ExtractedRelease): boolean {
  const wanted = label.records ?? [{ ticker: label.ticker, ratio: label.ratio }];
  const found = facts.splits.map(({ ticker, ratio, exDate }) => `${ticker} ${ratio && ratioCode(ratio)} ${exDate}`);
  return (
    found.toSorted().join() ===
    wanted
      .map((one) => `${one.ticker} ${one.ratio} ${label.ex_date}`)
      .toSorted()
      .join()
  );
}

function hasRightFraction({ label, facts }: ExtractedRelease): boolean {
  return (facts.fraction?.treatment ?? "not_stated") === label.fractional;
}

function hasTerms({ splits }: ArticleFacts): boolean {
  return splits.some(({ ratio, exDate }) => ratio !== null && exDate !== null);
}

function jsonLines(name: string): readonly unknown[] {
  const lines = readFileSync(join(corpus, name), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
}
