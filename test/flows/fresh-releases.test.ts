import { describe, expect, it } from "vitest";
import { ratioCode } from "../../src/domain/split/ratio.ts";
import { type ArticleFacts, extractFacts } from "../../src/extraction/extract.ts";
import { cpuMilliseconds } from "../support/cpu-time.ts";
import { type FreshRelease, readFreshReleases, type SplitSaid } from "../support/fresh-releases.ts";

const releases = readFreshReleases().map((release) => ({ ...release, read: extractFacts(release) }));

type Read = FreshRelease & { readonly read: ArticleFacts };

const withSplits = releases.flatMap((release) => {
  const { splits } = release.says;
  return splits ? [{ ...release, splits }] : [];
});
const withoutSplits = releases.filter(({ says }) => says.splits === null);

describe("A release written for the tests is read as a careful reader reads it", () => {
  it.each(releases)("$id: the kind", ({ read, says }) => {
    expect(says.kind).toContain(read.kind);
  });

  it.each(releases)("$id: the day on which it was sent out", ({ read, says }) => {
    expect(orAny(says.announced, read.announced)).toBe(says.announced);
  });

  it.each(releases.filter(({ says }) => says.fraction !== "any"))("$id: what becomes of fractions", (release) => {
    const { fraction } = release.says;
    if (fraction === "any") return;
    expect(release.read.fraction?.treatment ?? null).toBe(fraction?.treatment ?? null);
    expect(orAny(fraction?.level ?? null, release.read.fraction?.level ?? null)).toBe(fraction?.level ?? null);
  });

  it.each(releases)("$id: the fields on which it contradicts itself", ({ read, says }) => {
    expect(read.contradictions).toEqual(says.contradictions);
  });

  it.each(releases)("$id: every sentence given as evidence stands in it, word for word", (release) => {
    expect(sentencesOf(release).filter((sentence) => !stands(sentence, release))).toEqual([]);
  });

  it.each(withSplits)("$id: how many splits", ({ read, splits }) => {
    expect(read.splits).toHaveLength(splits.length);
  });

  it.each(withSplits)("$id: the ticker and exchange of each split", ({ read, splits }) => {
    const found = pairUp(read, splits);
    expect(found.map(({ said, split }) => accepted(said.ticker, split?.ticker ?? null))).toEqual(
      splits.map(({ ticker }) => ticker?.[0] ?? null),
    );
    expect(found.map(({ said, split }) => orAny(said.exchange, split?.exchange ?? null))).toEqual(
      splits.map(({ exchange }) => exchange),
    );
  });

  it.each(withSplits)("$id: the ratio of each split", ({ read, splits }) => {
    const ratios = pairUp(read, splits).map(({ split }) => (split?.ratio ? ratioCode(split.ratio) : null));
    expect(ratios).toEqual(splits.map(({ ratio }) => ratio));
  });

  it.each(withSplits)("$id: the first trading day on the split-adjusted basis", ({ read, splits }) => {
    const days = pairUp(read, splits).map(({ said, split }) => orAny(said.exDate, split?.exDate ?? null));
    expect(days).toEqual(splits.map(({ exDate }) => exDate));
  });

  it.each(withSplits)("$id: the new CUSIP of each split", ({ read, splits }) => {
    const numbers = pairUp(read, splits).map(({ split }) => split?.newCusip ?? null);
    expect(numbers).toEqual(splits.map(({ newCusip }) => newCusip));
  });

  it.each(withSplits.filter(({ says }) => says.company))("$id: the issuer", ({ read, says }) => {
    expect(read.splits[0]?.company).toBe(says.company);
  });

  it.each(withoutSplits)("$id: no split can be recorded from it", ({ read }) => {
    expect(read.splits.filter(({ ratio, exDate }) => ratio && exDate)).toEqual([]);
  });

  it.each(withoutSplits)("$id: the ticker that it is about", ({ read, says }) => {
    expect(read.mentions).toContainEqual(expect.objectContaining({ ticker: says.ticker, exchange: says.exchange }));
  });
});

it("A thousand releases are read within seconds", () => {
  const times = Math.ceil(1_000 / releases.length);
  const start = cpuMilliseconds();
  for (const release of Array.from({ length: times }, () => releases).flat()) extractFacts(release);
  expect(cpuMilliseconds() - start).toBeLessThan(10_000);
});

/** Each split that the release makes, with what was read of it: by ticker where there are several. */
function pairUp({ splits }: ArticleFacts, truth: readonly SplitSaid[]): readonly Pair[] {
  if (truth.length === 1) return truth.map((said) => ({ said, split: splits[0] }));
  return truth.map((said) => ({
    said,
    split: splits.find(({ ticker }) => ticker !== null && said.ticker?.includes(ticker)),
  }));
}

interface Pair {
  readonly said: SplitSaid;
  readonly split: ArticleFacts["splits"][number] | undefined;
}

/** The first of the names that are right where `read` is one of them. */
function accepted(right: readonly string[] | null, read: string | null): string | null {
  return read !== null && right?.includes(read) ? (right[0] ?? null) : read;
}

function orAny(right: string | null, read: string | null): string | null {
  return right === "any" ? right : read;
}

function sentencesOf({ read }: Read): readonly string[] {
  const given = [read.evidence, ...read.splits.map(({ evidence }) => evidence)].flatMap((each) => Object.values(each));
  return read.fraction ? [...given, read.fraction.sentence] : given;
}

function stands(sentence: string, { heading, content }: Read): boolean {
  return sentence !== "" && (heading.includes(sentence) || content.includes(sentence));
}
