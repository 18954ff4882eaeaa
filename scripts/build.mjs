// Bundles src/ into dist/, or into the folder named by the first argument. `npm run check` checks the types.
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compileChunks } from "./build/compile-chunks.mjs";
import { hashInputs, isBuilt, markBuild } from "./build/inputs.mjs";
import { bundlePage } from "./build/page.mjs";
import { bundleProgram } from "./build/program.mjs";

/** Age from which a temporary folder belongs to a build that was killed. */
const ABANDONED_MS = 10 * 60_000;

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = resolve(process.argv[2] ?? join(root, "dist"));
// Other commands use or build the same folder at the same time, so a build replaces it when it is complete.
const folder = `${out}.${process.pid}`;
const startedMs = Date.now();

try {
  mkdirSync(folder, { recursive: true });
  removeAbandoned();
  const inputs = hashInputs();
  await Promise.all([bundleProgram(folder), bundlePage(join(folder, "chat/web/page"))]);
  await compileChunks(folder);
  chmodSync(join(folder, "main.js"), 0o755);
  markBuild(folder, inputs);
  if (!isBuilt(out, inputs, startedMs)) replaceFolder();
} finally {
  for (const path of [folder, `${folder}.old`]) rmSync(path, { recursive: true, force: true });
}

function removeAbandoned() {
  const parent = dirname(out);
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (!path.startsWith(`${out}.`) || !/\.\d+(?:\.old)?$/.test(name)) continue;
    if (statSync(path).mtimeMs < startedMs - ABANDONED_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** Another build can put its folder there between the two renames. */
function replaceFolder() {
  for (;;) {
    rename(out, `${folder}.old`, ["ENOENT"]);
    if (rename(folder, out, ["ENOTEMPTY", "EEXIST"])) return;
    rmSync(`${folder}.old`, { recursive: true, force: true });
  }
}

/** Returns false after one of the `expected` errors. */
function rename(from, to, expected) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (!expected.includes(error.code)) throw error;
    return false;
  }
}
