// Extracts the facts of the labeled releases and scores them. SPLITWATCH_CORPUS names the folder of releases.jsonl, labels.jsonl
// and score.mjs (default: ../shared/corpus beside the clone). Arguments, such as --errors, are passed to score.mjs.
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const main = join(root, "dist", "main.js");

const corpus = process.env.SPLITWATCH_CORPUS || join(root, "../shared/corpus");
const [releases, labels, score] = ["releases.jsonl", "labels.jsonl", "score.mjs"].map((name) => resolve(corpus, name));
for (const path of [releases, labels, score]) {
  if (!existsSync(path)) fail(`SPLITWATCH_CORPUS: ${path} does not exist; name a folder with the labeled releases`);
}

if (!existsSync(main) || statSync(main).mtimeMs < latestChangeMs(join(root, "src"))) {
  run([join(root, "scripts", "build.mjs")]);
}
const folder = mkdtempSync(join(tmpdir(), "splitwatch-eval-"));
try {
  const facts = join(folder, "facts.jsonl");
  const output = openSync(facts, "w");
  run([main, "extract", releases], output);
  closeSync(output);
  run([score, facts, labels, "--articles", releases, ...process.argv.slice(2)]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(args, output = "inherit") {
  const { status, error } = spawnSync(process.execPath, args, { stdio: ["ignore", output, "inherit"] });
  if (error) throw error;
  if (status !== 0) throw new Error(`eval failed: node ${args[0]} exited with code ${status}`);
}

function latestChangeMs(path) {
  const entries = readdirSync(path, { recursive: true }).map((name) => statSync(join(path, name)).mtimeMs);
  return Math.max(...entries);
}

function fail(problem) {
  console.error(`eval: ${problem}`);
  process.exit(2);
}
