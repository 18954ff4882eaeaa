import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** Hash of what a build depends on: code, packages, the build scripts and the version of Node.js. */
export function hashInputs() {
  const hash = createHash("sha256").update(process.version);
  for (const path of ["package-lock.json", "scripts/build.mjs", ...filesIn("scripts/build"), ...filesIn("src")])
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest("hex");
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => /\.\w+$/.test(path) && !path.endsWith(".test.ts") && statSync(join(root, path)).isFile())
    .toSorted();
}

/** Marks a complete build with the hash of its inputs. */
export function markBuild(folder, inputs) {
  writeFileSync(markOf(folder), inputs);
}

/** Whether the folder contains a complete build of these inputs that was made at this time (milliseconds) or later. */
export function isBuilt(folder, inputs, sinceMs = 0) {
  const mark = markOf(folder);
  return existsSync(mark) && readFileSync(mark, "utf8") === inputs && statSync(mark).mtimeMs >= sinceMs;
}

function markOf(folder) {
  return join(folder, "inputs.sha256");
}
