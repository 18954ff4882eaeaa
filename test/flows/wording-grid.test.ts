import { describe, expect, it } from "vitest";
import { ratioCode } from "../../src/domain/split/ratio.ts";
import { extractFacts } from "../../src/extraction/extract.ts";
import { type Cell, cellsOf } from "../support/grid/grid.ts";
import { KINDS_WITHOUT_RECORD } from "../support/grid/negatives.ts";
import { OTHER_KINDS } from "../support/grid/other-texts.ts";
import { ISSUER_KINDS, record } from "../support/grid/texts.ts";
import { repetitions } from "../support/soak.ts";

const SEED = 1;
/** Texts of each kind. */
const COUNT = repetitions({ short: 16, full: 120 });
/** Share of the texts of a kind whose records may differ from the expected ones, never by another company's symbol. */
const ALLOWED_PART = 0.02;

const KINDS = [...ISSUER_KINDS, ...OTHER_KINDS, ...KINDS_WITHOUT_RECORD];

describe("extraction from a grid of wordings", () => {
  it.each(KINDS.map((kind, index) => ({ kind, index })))("gives the records of: $kind.name", ({ kind, index }) => {
    const read = cellsOf(kind, COUNT, SEED + index).map((cell) => ({ cell, records: recordsOf(cell) }));
    const different = read.filter(({ cell, records }) => records.join() !== cell.expected.toSorted().join());
    expect(different.filter(({ cell }) => cell.expected.length === 0).map(describeCell)).toEqual([]);
    expect(different.filter(hasOtherSymbol).map(describeCell)).toEqual([]);
    // A failure shows the texts above the allowed number.
    expect(different.slice(Math.ceil(ALLOWED_PART * COUNT)).map(describeCell)).toEqual([]);
  });
});

interface Reading {
  readonly cell: Cell;
  readonly records: readonly string[];
}

function recordsOf({ heading, content, published }: Cell): readonly string[] {
  const { kind, splits, fraction } = extractFacts({ heading, content, published });
  return splits
    .map(({ ticker, exchange, ratio, exDate, newCusip }) =>
      record({
        kind,
        ticker,
        exchange,
        ratio: ratio && ratioCode(ratio),
        day: exDate,
        fraction: fraction?.treatment,
        cusip: newCusip,
      }),
    )
    .toSorted();
}

function hasOtherSymbol({ cell, records }: Reading): boolean {
  const expected = new Set(cell.expected.map(symbolOf));
  return records.some((one) => symbolOf(one) !== "-" && !expected.has(symbolOf(one)));
}

function symbolOf(line: string): string {
  return line.split(" ")[1] ?? "-";
}

function describeCell({ cell, records }: Reading): object {
  const { heading, content, expected } = cell;
  return { heading, content, expected, records };
}
