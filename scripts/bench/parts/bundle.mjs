import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { PROGRAM_INPUT } from "../../build/program.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Bundles modules, such as `commands/index`, into a folder of dist/ and imports them. Paths start at src/. They share their
 * state. `sourcemap` as in rolldown.
 */
export async function importModules(folder, names, { sourcemap = false } = {}) {
  const dir = join(ROOT, "dist", "bench", folder);
  const build = await rolldown({
    ...PROGRAM_INPUT,
    input: names.map((name) => join(ROOT, "src", `${name}.ts`)),
  });
  const { output } = await build.write({ format: "esm", dir, entryFileNames: "[name]-[hash].js", sourcemap });
  await build.close();
  const fileOf = (name) =>
    output.find(({ facadeModuleId }) => facadeModuleId === join(ROOT, "src", `${name}.ts`)).fileName;
  return Promise.all(names.map((name) => import(pathToFileURL(join(dir, fileOf(name))).href)));
}
