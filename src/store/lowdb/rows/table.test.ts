import { expect, it } from "vitest";
import { announced, deliveryOf } from "../../../../test/contract/store-builders.ts";
import { GENERAL } from "../../../../test/support/builders.ts";
import { growthFactor } from "../../../../test/support/timing.ts";
import { createSharedJson } from "./row-json.ts";
import { type Row, Segment, Table } from "./table.ts";
import { Tables } from "./tables.ts";

const KEYS = ["a", "b", "c", "d", "e", "f"];

function filledTable(): Table<string> {
  const table = new Table<string>("rows");
  for (const key of KEYS) table.put(key, key);
  return table;
}

/** Moves rows to a new segment, as a checkpoint does. */
function* checkpoint<V>(table: Table<V>): Generator<void> {
  const [segments = []] = table.retireSegments(1_000);
  const [first] = segments;
  const segment = new Segment(null, false);
  if (first) table.insertSegment(segment, first);
  for (const row of first?.drain() ?? []) {
    yield;
    row.segment = segment;
    segment.add(row);
  }
  table.removeSegments(segments);
}

function take(rows: Iterator<Row<string>>, count: number): readonly string[] {
  return Array.from({ length: count }, () => rows.next().value.key);
}

it("iterates once over each row while a checkpoint moves rows", () => {
  const table = filledTable();
  const moves = checkpoint(table);
  const early = table.rows();

  expect(take(early, 1)).toEqual(["a"]);
  for (let move = 0; move < 3; move += 1) moves.next();
  const late = table.rows();
  expect(take(late, 1)).toEqual(["a"]);
  for (const _ of moves);

  expect(take(early, 5)).toEqual(["b", "c", "d", "e", "f"]);
  expect(take(late, 5)).toEqual(["b", "c", "d", "e", "f"]);
  expect([...table.keys()]).toEqual(KEYS);
});

it("iterates in order of creation over the rows that exist when they are reached", () => {
  const table = filledTable();
  const rows = table.rows();

  expect(take(rows, 2)).toEqual(["a", "b"]);
  table.remove("c");
  table.put("d", "changed");
  table.remove("a");
  table.put("a", "new");

  expect([...rows].map(({ value }) => value)).toEqual(["changed", "e", "f", "new"]);
});

it.each([{}, { mentions: ['<@"1">'], reasons: ["rule 1", "watchlist"] }, { fieldOfLaterVersion: 1 }])(
  "writes the JSON of a delivery with %j",
  (fields) => {
    const delivery = { ...deliveryOf(announced("s1"), GENERAL), ...fields };

    expect(
      JSON.parse(new Tables().deliveries.toJson(delivery, JSON.stringify(delivery.id), createSharedJson())),
    ).toEqual(delivery);
  },
);

it("returns the newest values before a row, also while a checkpoint moves rows", () => {
  const table = filledTable();
  const older = [...KEYS.keys()].map((index) => KEYS.slice(0, index).toReversed());
  const olderValues = (): unknown => KEYS.map((key) => [...table.newestValues(key)]);
  expect([...table.newestValues()]).toEqual(KEYS.toReversed());
  expect(olderValues()).toEqual(older);
  for (const _ of checkpoint(table)) expect(olderValues()).toEqual(older);
  expect(olderValues()).toEqual(older);

  table.put("new", "new");
  expect([...table.newestValues("new")]).toEqual(KEYS.toReversed());
  table.remove("c");
  expect([...table.newestValues("d")]).toEqual(["b", "a"]);
  expect([...table.newestValues("c")]).toHaveLength(KEYS.length);
});

/** Reads all values of a table in pages. */
function readPages(size: number): void {
  const table = new Table<number>("rows");
  for (let first = 0; first < size; first += 100) {
    const rows = Array.from({ length: 100 }, (_, index) => [`${first + index}`, first + index] as const);
    table.load({ number: first, crc: "", sizeBytes: 1 }, rows);
  }
  let count = 0;
  let page: readonly number[] = [...takeFrom(table.newestValues(null), 50)];
  while (page.length > 0) {
    count += page.length;
    page = [...takeFrom(table.newestValues(String(page.at(-1))), 50)];
  }
  expect(count).toBe(size);
}

function* takeFrom(values: Iterable<number>, count: number): Generator<number> {
  let taken = 0;
  for (const value of values) {
    yield value;
    taken += 1;
    if (taken === count) return;
  }
}

it("reads pages of the newest values in linear time", async () => {
  expect(await growthFactor(readPages, 10_000)).toBeLessThan(8);
});
