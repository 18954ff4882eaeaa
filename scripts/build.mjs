// Bundles src/ into dist/, or into the folder named by the first argument. `npm run check` checks the types.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundlePage } from "./build/page.mjs";
import { bundleProgram } from "./build/program.mjs";

const SELF = fileURLToPath(import.meta.url);

/** `sourcemap` as in rolldown; with one, the files keep their lines. */
export async function buildInto(folder, { sourcemap = false } = {}) {
  await rm(folder, { recursive: true, force: true });
  const [files] = await Promise.all([bundlePage(), bundleProgram(folder, { sourcemap })]);
  await mkdir(join(folder, "page"));
  for (const [name, content] of files) await writeFile(join(folder, "page", name), content);
}

if (resolve(process.argv[1] ?? "") === SELF)
  await buildInto(resolve(process.argv[2] ?? join(dirname(SELF), "../dist")));
