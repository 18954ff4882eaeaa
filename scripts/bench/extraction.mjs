// Extraction: CPU time of ordinary releases beside one tokenizing pass over the same texts, and of long and hostile texts, which
// must stay linear in their length. SPLITWATCH_CORPUS names a folder with releases.jsonl (default: releases of the tests).
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { importModules } from "./parts/bundle.mjs";
import { countOf } from "./parts/counts.mjs";
import { measurePairs, median } from "./parts/pairs.mjs";

const TEST_RELEASES = fileURLToPath(new URL("../../test/fixtures/releases/fresh.jsonl", import.meta.url));
const PAIRS = countOf(15, 1);
/** One pass is too short to be timed alone. */
const TOKENIZING_PASSES = 10;
const WARM_UP_ROUNDS = countOf(5, 0);
/** Maximum length of the text that a source reads of a release, in characters. */
const LONGEST_RELEASE = countOf(500_000, 5_000);
const SHORTER = 4;
const GROWTH_LENGTHS = [1_000, 10_000, 100_000, 500_000];
/** Shorter texts are extracted several times, so that they can be timed. */
const MIN_CHARACTERS = 100_000;
const HOSTILE_TEXT = "one-for-one-for-";
const HOSTILE_LENGTH = countOf(2 ** 20, 2 ** 12);

export async function measure() {
  const [{ extractFacts }] = await importModules("extraction", ["extraction/extract"]);
  const releases = await readReleases();
  repeat(WARM_UP_ROUNDS, releases, extractFacts);
  const text = releases.map(({ content }) => content).join("\n\n");
  const extractLong = (content) => cpuMs(() => extractFacts({ heading: releases[0].heading, content }));
  const long = ofLength(text, LONGEST_RELEASE);
  const hostile = ofLength(HOSTILE_TEXT, HOSTILE_LENGTH);
  return [
    await ordinaryFigure(releases, extractFacts),
    await linearFigure("extract a release of 500,000 characters", extractLong, long),
    await linearFigure("extract a hostile text of 1 MB", extractLong, hostile),
  ];
}

/** CPU time per character of releases and of a hostile text, by their length. */
export async function growth() {
  const [{ extractFacts }] = await importModules("extraction", ["extraction/extract"]);
  const releases = await readReleases();
  repeat(WARM_UP_ROUNDS, releases, extractFacts);
  const texts = { releases: releases.map(({ content }) => content).join("\n\n"), [`"${HOSTILE_TEXT}…"`]: HOSTILE_TEXT };
  const series = Object.entries(texts).map(([name, text]) => ({
    name,
    points: GROWTH_LENGTHS.map((length) => {
      const content = ofLength(text, length);
      const count = Math.ceil(MIN_CHARACTERS / length);
      const extract = () => repeat(count, [{ heading: releases[0].heading, content }], extractFacts);
      return [length, (1_000 * 1_000 * median([cpuMs(extract), cpuMs(extract), cpuMs(extract)])) / (count * length)];
    }),
  }));
  const title = "Extraction per 1,000 characters";
  return [{ file: "extraction", title, x: "characters of the text", unit: "µs CPU", series }];
}

async function ordinaryFigure(releases, extractFacts) {
  const perRelease = (work) => (1_000 * cpuMs(work)) / releases.length;
  const { first, second, ratio } = await measurePairs(
    PAIRS,
    () => perRelease(() => repeat(1, releases, extractFacts)),
    () => perRelease(() => repeat(TOKENIZING_PASSES, releases, tokenize)) / TOKENIZING_PASSES,
  );
  const peer = "one tokenizing pass";
  return { name: "extract a release", unit: "µs CPU", value: first, peer, peerValue: second, ratio, atMost: 80 };
}

/** Compares a text with a quarter of it, four times: a linear extraction takes the same time. */
async function linearFigure(name, extract, text) {
  const shorter = text.slice(0, text.length / SHORTER);
  const { first, second, ratio } = await measurePairs(
    5,
    () => extract(text),
    () => SHORTER * extract(shorter),
  );
  const peer = `${SHORTER} × a quarter of it`;
  return { name, unit: "ms CPU", value: first, peer, peerValue: second, ratio, atMost: 1.3 };
}

async function readReleases() {
  const corpus = process.env.SPLITWATCH_CORPUS;
  const lines = await readFile(corpus ? join(corpus, "releases.jsonl") : TEST_RELEASES, "utf8");
  return lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function repeat(rounds, releases, work) {
  for (let round = 0; round < rounds; round += 1) for (const release of releases) work(release);
}

function tokenize({ heading, content }) {
  return `${heading}\n${content}`.match(/\w+/g);
}

function ofLength(text, length) {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

function cpuMs(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
