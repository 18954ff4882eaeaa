import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const EXTERNAL_PACKAGES = /^(?:discord\.js|@slack\/bolt|@resvg\/resvg-wasm|dejavu-fonts-ttf|pino-pretty)(?:\/|$)/;

/** Bundles modules of src/, such as `commands/index`, into a folder of dist/ and imports them. They share their state. */
export async function importModules(folder, names) {
  const dir = join(ROOT, "dist", "bench", folder);
  const build = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(ROOT, "src", `${name}.ts`)])),
    platform: "node",
    external: (id) => EXTERNAL_PACKAGES.test(id),
    resolve: { mainFields: ["module", "main"] },
  });
  await build.write({ format: "esm", dir });
  await build.close();
  return Promise.all(names.map((name) => import(pathToFileURL(join(dir, `${name}.js`)).href)));
}
