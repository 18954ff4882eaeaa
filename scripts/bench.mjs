// Measures the speed of splitwatch and prints a table. The last line of the output is JSON with all figures.
//
//   npm run bench                  all figures
//   npm run bench -- data-service  the figures of scripts/bench/data-service.mjs
//
// Each module of scripts/bench/ exports `measure`, which returns its figures. To add one, create a file; nothing else changes.
// A figure is { name, value, unit } and, if it is compared, { peer, peerValue, ratio, atLeast | atMost }: the peer is measured
// in the same run, and the target is a bound of `ratio` (of `value` for a figure without a peer). `ratio` is the speed
// relative to the peer where a target is a minimum, the cost relative to the peer where it is a maximum.
import { readdir } from "node:fs/promises";

const MODULES = new URL("bench/", import.meta.url);
const COLUMNS = ["figure", "value", "unit", "peer", "peer's value", "ratio", "target", "met"];

const names = (await readdir(MODULES))
  .filter((name) => name.endsWith(".mjs"))
  .map((name) => name.replace(/\.mjs$/, ""));
const selected = process.argv.length > 2 ? process.argv.slice(2) : names;
const unknown = selected.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`bench: got ${unknown}, expected any of ${names.join(", ")}`);
  process.exit(1);
}

const figures = {};
for (const name of selected) {
  const { measure } = await import(new URL(`${name}.mjs`, MODULES));
  for (const { name: title, ...figure } of await measure()) figures[title] = withVerdict(figure);
}
printTable([COLUMNS, ...Object.entries(figures).map(cellsOf)]);
console.log(JSON.stringify(figures));

function withVerdict(figure) {
  const { value, ratio = value, atLeast, atMost } = figure;
  if (atLeast === undefined && atMost === undefined) return figure;
  return { ...figure, met: ratio >= (atLeast ?? -Infinity) && ratio <= (atMost ?? Infinity) };
}

function cellsOf([name, { value, unit, peer = "", peerValue, ratio, atLeast, atMost, met }]) {
  const target = [atLeast === undefined ? "" : `≥ ${atLeast}`, atMost === undefined ? "" : `≤ ${atMost}`].join("");
  const verdict = { true: "yes", false: "no" }[met] ?? "";
  return [name, format(value), unit, peer, format(peerValue), format(ratio), target, verdict];
}

/** Formats a number with three significant digits, or whole if it is larger. */
function format(number) {
  if (number === undefined) return "";
  return number >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(3)));
}

function printTable(rows) {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    );
}
