// Attribution of the samples of a CPU profile to the parts of the program, by the source maps of its bundles.
import { readFile } from "node:fs/promises";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

const GARBAGE_COLLECTION = "garbage collection";
const NATIVE = "native code and compilation";
const NODE = "Node's own modules";

const BUNDLE = "code of the bundler";

/** Names that V8 gives to what is not JavaScript. */
const SPECIAL = { "(garbage collector)": GARBAGE_COLLECTION, "(program)": NATIVE };

/** Behind the end of each line. */
const MAX_COLUMN = 1_000_000;

/** Longest time between two samples that counts: a longer one means that other programs had the core. */
const MAX_SAMPLE_MICROS = 1_000;

/**
 * Shares of the time of profiles of the same work by part, the largest first, as { part, share, hottest, hottestShare }: a package
 * or a folder of src/, and its function with the largest share. `ms`: mean time. Node's own functions count for the part that called
 * them. `untilMicros`: end of the relevant samples, on the profile's clock.
 */
export async function sharesOf(recordings) {
  const parts = new Map();
  let total = 0;
  for (const { profile, untilMicros = Infinity } of recordings) {
    const attributions = await attributionsOf(profile);
    let at = profile.startTime;
    for (const [index, id] of profile.samples.entries()) {
      at += profile.timeDeltas[index];
      const micros = Math.min(profile.timeDeltas[index + 1] ?? 0, MAX_SAMPLE_MICROS);
      const weighted = attributions.get(id);
      if (weighted === null || at > untilMicros) continue;
      total += micros;
      for (const { part, name, weight } of weighted) addTo(parts, part, name, micros * weight);
    }
  }
  const shares = [...parts].map(([part, { micros, functions }]) => {
    const [[hottest, most]] = [...functions].toSorted(([, x], [, y]) => y - x);
    return { part, share: micros / total, hottest, hottestShare: most / total };
  });
  return { ms: total / 1_000 / recordings.length, shares: shares.toSorted((x, y) => y.share - x.share) };
}

function addTo(parts, part, name, micros) {
  const entry = parts.get(part) ?? { micros: 0, functions: new Map() };
  entry.micros += micros;
  entry.functions.set(name, (entry.functions.get(name) ?? 0) + micros);
  parts.set(part, entry);
}

/** Parts of each node by its id, with weights whose sum is 1; null while the process waits. */
async function attributionsOf({ nodes }) {
  const maps = await sourceMapsOf(nodes);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const attributions = new Map();
  const visit = (node, callers) => {
    const own = attributionOf(node, maps) ?? callers;
    attributions.set(node.id, own);
    for (const id of node.children ?? []) visit(byId.get(id), own);
  };
  visit(nodes[0], only(NODE, ""));
  return attributions;
}

/** Undefined for a function of Node, which counts for its caller. */
function attributionOf({ callFrame, positionTicks }, maps) {
  const { functionName, url, lineNumber } = callFrame;
  if (functionName === "(idle)") return null;
  if (Object.hasOwn(SPECIAL, functionName)) return only(SPECIAL[functionName], functionName);
  const map = maps.get(url);
  if (map === undefined) return undefined;
  // The top level of a bundle belongs to many parts.
  const lines = positionTicks ?? [{ line: lineNumber + 1, ticks: 1 }];
  const total = lines.reduce((sum, { ticks }) => sum + ticks, 0);
  const name = functionName || "top level of a module";
  return lines.map(({ line, ticks }) => ({ part: partAt(map, line - 1), name, weight: ticks / total }));
}

function only(part, name) {
  return [{ part, name, weight: 1 }];
}

/** Part of the last code of a line. */
function partAt(map, line) {
  const { originalSource } = map.findEntry(line, MAX_COLUMN);
  return originalSource === undefined ? BUNDLE : partOf(originalSource);
}

/** Name of the package, or the folder of src/ with its first subfolder. */
function partOf(source) {
  const found = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? /(src\/[^/]+(?:\/[^/.]+(?=\/))?)/.exec(source);
  return found === null ? source : found[1];
}

async function sourceMapsOf(nodes) {
  const urls = [...new Set(nodes.map(({ callFrame }) => callFrame.url))].filter((url) => /^(?:\/|file:)/.test(url));
  const maps = await Promise.all(urls.map(async (url) => [url, await sourceMapOf(url)]));
  return new Map(maps.filter(([, map]) => map !== null));
}

async function sourceMapOf(url) {
  const path = url.startsWith("file:") ? fileURLToPath(url) : url;
  try {
    return new SourceMap(JSON.parse(await readFile(`${path}.map`, "utf8")));
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}
