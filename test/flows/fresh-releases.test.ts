import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ratioCode } from "../../src/domain/split/ratio.ts";
import { type ArticleFacts, extractFacts } from "../../src/extraction/extract.ts";

/** Expected facts of one split. Several tickers: any of them is accepted. `any`: every answer is accepted. */
interface ExpectedSplit {
  readonly ticker: readonly string[] | null;
  readonly exchange: string | null;
  readonly ratio: string | null;
  readonly exDate: string | null;
  readonly newCusip: string | null;
}

/** Press release written for the tests, with its expected facts. */
interface FreshRelease {
  readonly id: string;
  readonly heading: string;
  readonly content: string;
  readonly expected: {
    /** Several if people classify the release differently. */
    readonly kind: readonly string[];
    readonly announced: string | null;
    readonly company?: string;
    /** Ticker of the issuer, if the release announces no split. */
    readonly ticker?: string;
    readonly exchange?: string;
    /** Null if the release announces no split. */
    readonly splits: readonly ExpectedSplit[] | null;
    readonly fraction: "any" | null | { readonly treatment: string; readonly level: string | null };
    readonly contradictions: readonly string[];
  };
}

/** Releases in many wordings, shorter ones of varied issuers, and exchange notices and SEC exhibits. */
const FILES = ["fresh", "varied", "funds", "notices"].map(
  (name) => new URL(`../fixtures/releases/${name}.jsonl`, import.meta.url),
);

function readFreshReleases(): readonly FreshRelease[] {
  const lines = FILES.flatMap((file) => readFileSync(file, "utf8").trimEnd().split("\n"));
  return lines.map((line) => JSON.parse(line) as FreshRelease);
}

const releases = readFreshReleases().map((release) => ({ ...release, read: extractFacts(release) }));

type ExtractedRelease = FreshRelease & { readonly read: ArticleFacts };

const withSplits = releases.flatMap((release) => {
  const { splits } = release.expected;
  return splits ? [{ ...release, splits }] : [];
});
const withoutSplits = releases.filter(({ expected }) => expected.splits === null);

describe("extraction from a text written for the tests", () => {
  it.each(releases)("$id: finds the kind", ({ read, expected }) => {
    expect(expected.kind).toContain(read.kind);
  });

  it.each(releases)("$id: finds the announcement date", ({ read, expected }) => {
    expect(unlessAny(expected.announced, read.announced)).toBe(expected.announced);
  });

  it.each(releases.filter(({ expected }) => expected.fraction !== "any"))(
    "$id: finds the treatment of fractions",
    (release) => {
      const { fraction } = release.expected;
      if (fraction === "any") return;
      expect(release.read.fraction?.treatment ?? null).toBe(fraction?.treatment ?? null);
      expect(unlessAny(fraction?.level ?? null, release.read.fraction?.level ?? null)).toBe(fraction?.level ?? null);
    },
  );

  it.each(releases)("$id: reports contradictory fields", ({ read, expected }) => {
    expect(read.contradictions).toEqual(expected.contradictions);
  });

  it.each(releases)("$id: quotes the evidence verbatim", (release) => {
    expect(sentencesOf(release).filter((sentence) => !isVerbatim(sentence, release))).toEqual([]);
  });

  it.each(withSplits)("$id: finds every split", ({ read, splits }) => {
    expect(read.splits).toHaveLength(splits.length);
  });

  it.each(withSplits)("$id: finds the ticker and exchange of each split", ({ read, splits }) => {
    const found = pairSplits(read, splits);
    expect(found.map(({ expected, split }) => firstAccepted(expected.ticker, split?.ticker ?? null))).toEqual(
      splits.map(({ ticker }) => ticker?.[0] ?? null),
    );
    expect(found.map(({ expected, split }) => unlessAny(expected.exchange, split?.exchange ?? null))).toEqual(
      splits.map(({ exchange }) => exchange),
    );
  });

  it.each(withSplits)("$id: finds the ratio of each split", ({ read, splits }) => {
    const ratios = pairSplits(read, splits).map(({ split }) => (split?.ratio ? ratioCode(split.ratio) : null));
    expect(ratios).toEqual(splits.map(({ ratio }) => ratio));
  });

  it.each(withSplits)("$id: finds the ex date of each split", ({ read, splits }) => {
    const days = pairSplits(read, splits).map(({ expected, split }) =>
      unlessAny(expected.exDate, split?.exDate ?? null),
    );
    expect(days).toEqual(splits.map(({ exDate }) => exDate));
  });

  it.each(withSplits)("$id: finds the new CUSIP of each split", ({ read, splits }) => {
    const numbers = pairSplits(read, splits).map(({ split }) => split?.newCusip ?? null);
    expect(numbers).toEqual(splits.map(({ newCusip }) => newCusip));
  });

  it.each(withSplits.filter(({ expected }) => expected.company))("$id: finds the issuer", ({ read, expected }) => {
    expect(read.splits[0]?.company).toBe(expected.company);
  });

  it.each(withoutSplits)("$id: records no split", ({ read }) => {
    expect(read.splits.filter(({ ratio, exDate }) => ratio && exDate)).toEqual([]);
  });

  it.each(withoutSplits)("$id: finds the ticker", ({ read, expected }) => {
    expect(read.mentions).toContainEqual(
      expect.objectContaining({ ticker: expected.ticker, exchange: expected.exchange }),
    );
  });
});

/** Pairs expected and extracted splits, by ticker if there are several. */
function pairSplits({ splits }: ArticleFacts, expectedSplits: readonly ExpectedSplit[]): readonly Pair[] {
  if (expectedSplits.length === 1) return expectedSplits.map((expected) => ({ expected, split: splits[0] }));
  return expectedSplits.map((expected) => ({
    expected,
    split: splits.find(({ ticker }) => ticker !== null && expected.ticker?.includes(ticker)),
  }));
}

interface Pair {
  readonly expected: ExpectedSplit;
  readonly split: ArticleFacts["splits"][number] | undefined;
}

/** Replaces an accepted value with the first accepted one, so that all accepted values compare as equal. */
function firstAccepted(accepted: readonly string[] | null, read: string | null): string | null {
  return read !== null && accepted?.includes(read) ? (accepted[0] ?? null) : read;
}

/** Replaces the value with `any` if every value is accepted. */
function unlessAny(expected: string | null, read: string | null): string | null {
  return expected === "any" ? expected : read;
}

function sentencesOf({ read }: ExtractedRelease): readonly string[] {
  const given = [read.evidence, ...read.splits.map(({ evidence }) => evidence)].flatMap((each) => Object.values(each));
  return read.fraction ? [...given, read.fraction.sentence] : given;
}

function isVerbatim(sentence: string, { heading, content }: ExtractedRelease): boolean {
  return sentence !== "" && (heading.includes(sentence) || content.includes(sentence));
}
