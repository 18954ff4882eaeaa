// Measures the speed of splitwatch and prints tables. The last line of the output is JSON with all figures.
//
//   npm run bench                                    all figures
//   npm run bench -- data-service start              the figures of two modules of scripts/bench/
//   npm run bench -- --markdown docs/performance.md  also writes the tables to the page
//   npm run bench -- growth                          figures at several sizes, as pictures in docs/performance/
//   npm run bench -- profile                         what takes the time of a start, a command and a large commit
//
// `growth` also takes names of modules, and `profile` --markdown.
//
// Each module of scripts/bench/ exports `measure`, which returns its figures. To add one, create a file; nothing else changes.
// A figure is { name, value, unit } and, if it is compared, { peer, peerValue, ratio }: the peer is measured in the same run.
// Targets: `atLeast` and `atMost` bound `ratio` (`value` for a figure without a ratio), `atMostValue` bounds `value`. `ratio` is
// the speed relative to the peer where a target is a minimum, the cost relative to the peer where it is a maximum.
// A module that exports `growth` returns plots, as parts/plot.mjs describes them.
import { readdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { writePlots } from "./bench/parts/plot.mjs";
import {
  checkMarkdown,
  machine,
  markdownTable,
  printFigures,
  updateMarkdown,
  withVerdict,
} from "./bench/parts/report.mjs";
import { profile } from "./bench/profile/index.mjs";

const MODULES = new URL("bench/", import.meta.url);

/** In the order of the page. Further modules follow. */
const ORDER = [
  "polls",
  "data-service",
  "store",
  "matching",
  "sending",
  "views",
  "extraction",
  "start",
  "backup",
  "postgres",
  "processes",
];

const names = await moduleNames();
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { markdown: { type: "string" } },
});
const kind = ["growth", "profile"].includes(positionals[0]) ? positionals.shift() : "figures";
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`bench: got ${unknown}, expected any of ${names.join(", ")}`);
  process.exit(1);
}
const selected = positionals.length > 0 ? positionals : names;

if (options.markdown) {
  const parts = { figures: selected, growth: [], profile: ["profile"] }[kind];
  await checkMarkdown(options.markdown, [...parts, "machine"]);
  await save("machine", machine());
}
const json = await { figures: measureFigures, growth: measureGrowth, profile: measureProfile }[kind]();
console.log(JSON.stringify(json));

async function moduleNames() {
  const files = (await readdir(MODULES)).filter((name) => name.endsWith(".mjs"));
  const found = files.map((name) => name.replace(/\.mjs$/, ""));
  return [...ORDER, ...found.filter((name) => !ORDER.includes(name))];
}

async function measureFigures() {
  const all = {};
  await forEachModule(async ({ measure }, name) => {
    const figures = (await measure()).map(withVerdict);
    if (figures.length === 0) return;
    printFigures(name, figures);
    await save(name, markdownTable(figures));
    for (const { name: title, ...figure } of figures) all[title] = figure;
  });
  return all;
}

async function measureGrowth() {
  const plots = [];
  await forEachModule(async ({ growth }) => {
    const added = (await growth?.()) ?? [];
    await writePlots(added);
    plots.push(...added);
  });
  return plots;
}

async function measureProfile() {
  const { markdown, ...profiles } = await profile();
  await save("profile", markdown);
  return profiles;
}

/** Runs `work` with each selected module. A failure is printed, and the others still run. */
async function forEachModule(work) {
  for (const name of selected) {
    try {
      await work(await import(new URL(`${name}.mjs`, MODULES)), name);
    } catch (error) {
      console.error(`bench: ${name} failed:`, error);
      process.exitCode = 1;
    }
  }
}

/** Writes a part of the page, if one is given. */
async function save(name, part) {
  if (options.markdown) await updateMarkdown(options.markdown, name, part);
}
