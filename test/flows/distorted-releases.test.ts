import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ratioCode } from "../../src/domain/split/ratio.ts";
import { extractFacts } from "../../src/extraction/extract.ts";
import { DISTORTIONS, type Distortion, type ReleaseText } from "../support/distortions.ts";
import { IS_SOAK } from "../support/soak.ts";

const corpus = process.env.SPLITWATCH_CORPUS ?? "";
const skipped = corpus === "" ? "skipped: SPLITWATCH_CORPUS is not set: " : "";

/** A release with the records that are read from its undistorted text. */
interface Undistorted {
  readonly id: string;
  readonly release: ReleaseText;
  readonly records: string;
}

interface Row {
  readonly texts: string;
  readonly distortion: string;
  readonly changed: number;
  readonly of: number;
  readonly invented: number;
}

const table: Row[] = [];

afterAll(() => {
  for (const { texts, distortion, changed, of, invented } of table) {
    process.stdout.write(`${texts}: ${distortion}: ${changed} of ${of} records change, ${invented} false records\n`);
  }
});

describe("extraction from the written releases, distorted", () => {
  const files = ["fresh.jsonl", "varied.jsonl", "notices.jsonl"];
  const undistorted = files.flatMap(readFixtures);

  it.each(DISTORTIONS)("keeps the records despite $name", (distortion) => {
    const { changed, allowed, invented, wrong } = compare(
      "written",
      alternatingFor(distortion, undistorted),
      distortion,
    );
    expect(wrong).toEqual([]);
    // A failure names the releases above the allowed number.
    expect(changed.slice(allowed)).toEqual([]);
    expect(invented).toEqual([]);
  });
});

describe("extraction from written lists of funds, distorted", () => {
  const undistorted = readFixtures("funds.jsonl");

  // A distortion may destroy the rows of a table. Their terms are not stated then, never those of another row.
  it.each(DISTORTIONS)("makes no other record despite $name", (distortion) => {
    const wrong = alternatingFor(distortion, undistorted).flatMap(({ release, records }) => {
      const found = recordsOf(distortion.apply(release)).split(",");
      return found.filter((record) => record !== "" && !isRecordOf(records, record));
    });
    expect(wrong).toEqual([]);
  });
});

/** Whether a record is among those of the undistorted release; its exchange may be missing. */
function isRecordOf(records: string, record: string): boolean {
  const [ticker, exchange, ratio, exDate] = record.split(" ");
  return records.split(",").some((known) => {
    const [knownTicker, knownExchange, ...terms] = known.split(" ");
    return (
      ticker === knownTicker && [knownExchange, "null"].includes(exchange) && terms.join() === [ratio, exDate].join()
    );
  });
}

describe.skipIf(corpus === "")("extraction from the labeled releases, distorted", () => {
  const text = corpus === "" ? "" : readFileSync(join(corpus, "releases.jsonl"), "utf8");
  const undistorted = readUndistorted(text);

  it.each(DISTORTIONS)(`${skipped}keeps the records despite $name`, (distortion) => {
    const { changed, allowed, invented, wrong } = compare(
      "labeled",
      alternatingFor(distortion, undistorted),
      distortion,
    );
    expect(wrong).toEqual([]);
    // A failure names the releases above the allowed number.
    expect(changed.slice(allowed)).toEqual([]);
    expect(invented).toEqual([]);
  });
});

function readFixtures(name: string): readonly Undistorted[] {
  return readUndistorted(readFileSync(new URL(`../fixtures/releases/${name}`, import.meta.url), "utf8"));
}

function readUndistorted(jsonLines: string): readonly Undistorted[] {
  const lines = jsonLines.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const { id, heading, content } = JSON.parse(line) as ReleaseText & { readonly id: string };
    return { id, release: { heading, content }, records: recordsOf({ heading, content }) };
  });
}

/** The complete records of a release: ticker, exchange, ratio and ex date of each split. */
function recordsOf(release: ReleaseText): string {
  return extractFacts(release)
    .splits.flatMap(({ ticker, exchange, ratio, exDate }) =>
      ratio && exDate ? [`${ticker} ${exchange} ${ratioCode(ratio)} ${exDate}`] : [],
    )
    .toSorted()
    .join();
}

interface Comparison {
  /** Releases whose records change. */
  readonly changed: readonly string[];
  readonly allowed: number;
  /** Releases without a record that get one. */
  readonly invented: readonly string[];
  /** Symbols that the undistorted text doesn't have. */
  readonly wrong: readonly string[];
}

/** In `npm test` a distortion applies to every eighth release, the next distortion to their neighbors. */
const SAMPLING = IS_SOAK ? 1 : 8;

function alternatingFor(distortion: Distortion, all: readonly Undistorted[]): readonly Undistorted[] {
  return all.filter((_, index) => index % SAMPLING === DISTORTIONS.indexOf(distortion) % SAMPLING);
}

function compare(texts: string, undistorted: readonly Undistorted[], distortion: Distortion): Comparison {
  const distorted = undistorted.map((one) => ({ ...one, found: recordsOf(distortion.apply(one.release)) }));
  const different = distorted.filter(({ found, records }) => found !== records);
  const wrong = different.flatMap(({ id, found, records }) => {
    const known = tickersOf(records);
    return tickersOf(found).flatMap((ticker) => (known.includes(ticker) ? [] : `${id}: ${ticker}`));
  });
  const changed = different.filter(({ records }) => records !== "").map(({ id }) => id);
  const invented = different.filter(({ records }) => records === "").map(({ id }) => id);
  const of = undistorted.filter(({ records }) => records !== "").length;
  table.push({ texts, distortion: distortion.name, changed: changed.length, of, invented: invented.length });
  return { changed, allowed: Math.ceil(distortion.allowedPart * of), invented, wrong };
}

/** Symbols of records, without null. */
function tickersOf(records: string): readonly string[] {
  const tickers = records.split(",").map((record) => record.split(" ")[0] ?? "");
  return tickers.filter((ticker) => ticker !== "" && ticker !== "null");
}
