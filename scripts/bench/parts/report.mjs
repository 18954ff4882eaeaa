import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";

/** Columns of the table: heading and text of a cell. */
const COLUMNS = [
  ["figure", ({ name }) => name],
  ["measured", ({ value, unit }) => withUnit(value, unit)],
  ["peer", ({ peer = "" }) => peer],
  ["peer's value", ({ peerValue, peerUnit, unit }) => withUnit(peerValue, peerUnit ?? unit)],
  ["ratio", ({ ratio }) => format(ratio)],
  ["target", targetOf],
  ["met", ({ met }) => ({ true: "yes", false: "no" })[met] ?? ""],
];

/** Adds whether the figure meets its targets. */
export function withVerdict(figure) {
  const { value, ratio = value, atLeast = -Infinity, atMost = Infinity, atMostValue = Infinity } = figure;
  if (targetOf(figure) === "") return figure;
  return { ...figure, met: ratio >= atLeast && ratio <= atMost && value <= atMostValue };
}

function targetOf({ ratio, unit, atLeast, atMost, atMostValue }) {
  const bound = (sign, limit) => (ratio === undefined ? `${sign} ${withUnit(limit, unit)}` : `${sign} ${limit} ×`);
  const bounds = [];
  if (atLeast !== undefined) bounds.push(bound("≥", atLeast));
  if (atMost !== undefined) bounds.push(bound("≤", atMost));
  if (atMostValue !== undefined) bounds.push(`≤ ${withUnit(atMostValue, unit)}`);
  return bounds.join(", ");
}

function withUnit(number, unit) {
  return number === undefined ? "" : `${format(number)} ${unit}`.trim();
}

/** Formats a number with three significant digits, or whole if it is larger. */
export function format(number) {
  if (number === undefined) return "";
  return number >= 100 ? Math.round(number).toLocaleString("en-US") : String(Number(number.toPrecision(3)));
}

/** Prints a section of the table: a list of figures. */
export function printFigures(title, figures) {
  const rows = [
    COLUMNS.map(([heading]) => heading),
    ...figures.map((figure) => COLUMNS.map(([, cell]) => cell(figure))),
  ];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  console.log(`\n${title}`);
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    );
}

export function markdownTable(figures) {
  return markdownRows([
    COLUMNS.map(([heading]) => heading),
    ...figures.map((figure) => COLUMNS.map(([, cell]) => cell(figure))),
  ]);
}

/** Table of rows of cells, the headings first. */
export function markdownRows([headings, ...rows]) {
  return [headings, headings.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** The machine, for the page, and the number of processes that wanted its cores in the last minute. */
export function machine() {
  return `${cpus().length} cores, Node ${process.versions.node}, ${process.platform}; load average ${loadavg()[0].toFixed(1)} at the start`;
}

/** Replaces a part of a Markdown file. */
export async function updateMarkdown(file, name, part) {
  const text = await readFile(file, "utf8");
  const { from, to } = placeOf(text, name);
  await writeFile(file, `${text.slice(0, from)}\n${part}\n\n${text.slice(to)}`);
}

/** Throws if a Markdown file has no place for one of the parts. */
export async function checkMarkdown(file, names) {
  const text = await readFile(file, "utf8");
  const missing = names.find((name) => placeOf(text, name) === null);
  if (missing !== undefined) throw new Error(`${file}: expected ${startOf(missing)} and ${END}`);
}

const END = "<!-- /bench -->";

function startOf(name) {
  return `<!-- bench: ${name} -->`;
}

/** The place of a part is the text between its start and the next end; null if there is none. */
function placeOf(text, name) {
  const start = text.indexOf(`${startOf(name)}\n`);
  const to = text.indexOf(END, start);
  return start === -1 || to === -1 ? null : { from: start + startOf(name).length + 1, to };
}
