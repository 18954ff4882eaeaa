// Extracts the facts of the labeled releases and scores them. SPLITWATCH_CORPUS names the folder of releases.jsonl, labels.jsonl
// and score.mjs (default: ../shared/corpus beside the clone). Arguments, such as --errors, are passed to score.mjs.
// Then reads the captured documents with an expected.jsonl that SPLITWATCH_CAPTURES names (default: captures in the corpus), and
// scores them. If only SPLITWATCH_CAPTURES is set, only these are scored.
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { scoreCaptures, scoreLines } from "./score-captures.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const main = join(root, "bin", "splitwatch.js");

const corpus = process.env.SPLITWATCH_CORPUS || join(root, "../shared/corpus");
const [releases, labels, score] = ["releases.jsonl", "labels.jsonl", "score.mjs"].map((name) => resolve(corpus, name));
const captures = resolve(process.env.SPLITWATCH_CAPTURES || join(corpus, "captures"));
const missing = [releases, labels, score].find((path) => !existsSync(path));
const hasCaptures = existsSync(join(captures, "expected.jsonl"));
if (process.env.SPLITWATCH_CAPTURES && !hasCaptures)
  fail(`SPLITWATCH_CAPTURES: ${captures} has no expected.jsonl; name a folder of captured documents with one`);
if (missing && (process.env.SPLITWATCH_CORPUS || !process.env.SPLITWATCH_CAPTURES))
  fail(`SPLITWATCH_CORPUS: ${missing} does not exist; name a folder with the labeled releases`);

const folder = mkdtempSync(join(tmpdir(), "splitwatch-eval-"));
try {
  if (!missing) {
    const facts = runToFile([main, "extract", releases], "facts.jsonl");
    run([score, facts, labels, "--articles", releases, ...process.argv.slice(2)]);
  }
  if (hasCaptures) {
    // It exits with 1 if a document is refused, which the score counts.
    const records = runToFile([main, "read", "all", captures], "records.jsonl", [0, 1]);
    const scored = scoreCaptures(readLines(records), readLines(join(captures, "expected.jsonl")));
    console.log(["", `Captured documents in ${captures}`, ...scoreLines(scored)].join("\n"));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the path of the file with the program's output. */
function runToFile(args, name, codes) {
  const path = join(folder, name);
  const output = openSync(path, "w");
  run(args, output, codes);
  closeSync(output);
  return path;
}

function readLines(path) {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
}

function run(args, output = "inherit", codes = [0]) {
  const { status, error } = spawnSync(process.execPath, args, { stdio: ["ignore", output, "inherit"] });
  if (error) throw error;
  if (!codes.includes(status)) throw new Error(`eval failed: node ${args[0]} exited with code ${status}`);
}

function fail(problem) {
  console.error(`eval: ${problem}`);
  process.exit(2);
}
