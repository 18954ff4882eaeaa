import { mkdir, writeFile } from "node:fs/promises";
import { format } from "./report.mjs";

/** Folder of the pictures. */
const FOLDER = new URL("../../../docs/performance/", import.meta.url);

const WIDTH = 720;
const HEIGHT = 360;
const AREA = { left: 64, right: 520, top: 52, bottom: 300 };
const LABEL_HEIGHT = 16;
const Y_STEPS = 4;

/** The colors are distinguishable with color blindness, and on both backgrounds. */
const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a7fd0"];
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 15px; }
  .axis { fill: #59636e; }
  .background { fill: #ffffff; }
  .grid { stroke: #d1d9e0; }
  .target { stroke: #59636e; stroke-dasharray: 6 4; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .axis { fill: #9198a1; }
    .background { fill: #0d1117; }
    .grid { stroke: #3d444d; }
    .target { stroke: #9198a1; }
  }`;

/**
 * Writes plots as SVG files. A plot is { file, title, x, unit, series } with the series as { name, points }, each point a size and a
 * value, and optionally { target: { name, value } }. Sizes are on a logarithmic axis, with 0 at its left end; values start at 0.
 */
export async function writePlots(plots) {
  await mkdir(FOLDER, { recursive: true });
  for (const plot of plots) {
    await writeFile(new URL(`${plot.file}.svg`, FOLDER), svgOf(plot));
    console.log(`${plot.title} (${plot.unit})`);
    for (const { name, points } of plot.series)
      console.log(`  ${name}: ${points.map(([size, value]) => `${format(size)}: ${format(value)}`).join("  ")}`);
  }
}

function svgOf({ title, x, unit, series, target }) {
  const points = series.flatMap((one) => one.points);
  const sizes = [...new Set(points.map(([size]) => size))].toSorted((a, b) => a - b);
  const scale = scaleOf(sizes, Math.max(target?.value ?? 0, ...points.map(([, value]) => value)));
  const middle = (AREA.left + AREA.right) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}\n</style>`,
    element("rect", { class: "background", width: WIDTH, height: HEIGHT, rx: 6 }),
    text({ class: "title", x: 16, y: 28 }, `${title}, ${unit}`),
    ...scale.ticks.flatMap((value) => gridLine(value, scale)),
    ...sizes.map((size) => text(centered(scale.x(size), AREA.bottom + 20), shortSize(size))),
    text(centered(middle, AREA.bottom + 44), x),
    ...series.flatMap((one, index) => lineOf(one, COLORS[index], scale)),
    ...(target ? [lineAt(target.value, "target", scale)] : []),
    ...labelsOf(series, target, scale),
    "</svg>\n",
  ].join("\n");
}

function scaleOf(sizes, largest) {
  const first = Math.log10(sizes.find((size) => size > 0)) - (sizes[0] === 0 ? 1 : 0);
  const last = Math.log10(sizes.at(-1));
  const step = niceStep(largest / Y_STEPS);
  const top = Math.max(1, Math.ceil(largest / step - 1e-9)) * step;
  const share = (size) => (size === 0 ? 0 : (Math.log10(size) - first) / (last - first));
  return {
    x: (size) => round(AREA.left + share(size) * (AREA.right - AREA.left)),
    y: (value) => round(AREA.bottom - (value / top) * (AREA.bottom - AREA.top)),
    ticks: Array.from({ length: Math.round(top / step) + 1 }, (_, n) => n * step),
  };
}

/** The smallest of 1, 2, 2.5, 5 × a power of ten that is not below `step`. */
function niceStep(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((nice) => nice >= step * (1 - 1e-9));
}

function gridLine(value, scale) {
  const label = { class: "axis", x: AREA.left - 8, y: scale.y(value) + 4, "text-anchor": "end" };
  return [lineAt(value, "grid", scale), text(label, format(value))];
}

function lineAt(value, className, scale) {
  return element("line", { class: className, x1: AREA.left, x2: AREA.right, y1: scale.y(value), y2: scale.y(value) });
}

function lineOf({ points }, color, scale) {
  const path = points.map(([size, value]) => `${scale.x(size)},${scale.y(value)}`).join(" ");
  const dots = points.map(([size, value]) =>
    element("circle", { cx: scale.x(size), cy: scale.y(value), r: 3.5, fill: color }),
  );
  return [element("polyline", { points: path, fill: "none", stroke: color, "stroke-width": 2 }), ...dots];
}

/** Names beside the ends of the lines, in their order, without overlaps. */
function labelsOf(series, target, scale) {
  const labels = [
    ...series.map(({ name, points }, index) => ({ name, color: COLORS[index], y: scale.y(points.at(-1)[1]) })),
    ...(target ? [{ name: target.name, color: null, y: scale.y(target.value) }] : []),
  ].toSorted((a, b) => a.y - b.y);
  for (let n = 1; n < labels.length; n += 1) labels[n].y = Math.max(labels[n].y, labels[n - 1].y + LABEL_HEIGHT);
  const overflow = Math.max(0, labels.at(-1).y - AREA.bottom);
  return labels.flatMap(({ name, color, y }) => [
    ...(color === null ? [] : [element("circle", { cx: AREA.right + 16, cy: y - overflow, r: 4, fill: color })]),
    text({ x: AREA.right + 26, y: y - overflow + 4 }, name),
  ]);
}

function centered(x, y) {
  return { class: "axis", x, y, "text-anchor": "middle" };
}

function text(attributes, content) {
  return `<text${formatAttributes(attributes)}>${escaped(content)}</text>`;
}

function element(name, attributes) {
  return `<${name}${formatAttributes(attributes)}/>`;
}

function formatAttributes(attributes) {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join("");
}

function shortSize(size) {
  if (size >= 1_000_000) return `${format(size / 1_000_000)}M`;
  return size >= 1_000 ? `${format(size / 1_000)}k` : String(size);
}

function escaped(content) {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function round(number) {
  return Math.round(number * 10) / 10;
}
