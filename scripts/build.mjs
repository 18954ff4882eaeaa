// Bundles src/ into dist/, or into the folder named by the first argument. `npm run check` checks the types.
import { cpSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const src = join(root, "src");
const out = resolve(process.argv[2] ?? join(root, "dist"));
const PAGE = "chat/web/page";

/** The program, and the modules that scripts/bench.mjs measures. */
const ENTRIES = ["main", "extraction/extract", "lib/clock", "store/index"];

/** Packages that are loaded only when needed: clients of chat platforms, and packages with files of their own. All others load faster as one bundle. */
const EXTERNAL_PACKAGES = /^(?:discord\.js|@slack\/bolt|@resvg\/resvg-wasm|dejavu-fonts-ttf|pino-pretty)(?:\/|$)/;

rmSync(out, { recursive: true, force: true });
await bundle(
  {
    input: Object.fromEntries(ENTRIES.map((name) => [name, join(src, `${name}.ts`)])),
    platform: "node",
    external: (id) => EXTERNAL_PACKAGES.test(id),
    resolve: { mainFields: ["module", "main"] },
  },
  { dir: out, chunkFileNames: chunkPath, sourcemap: true },
);
await bundle({ input: join(src, PAGE, "main.ts"), platform: "browser" }, { dir: join(out, PAGE) });
cpSync(join(src, PAGE), join(out, PAGE), { recursive: true, filter: (path) => !path.endsWith(".ts") });

async function bundle(input, output) {
  const build = await rolldown(input);
  await build.write({ format: "esm", ...output });
  await build.close();
}

/** Keeps the path of each module that is imported on demand: it may read files from its folder. */
function chunkPath({ facadeModuleId }) {
  if (!facadeModuleId?.startsWith(src)) return "shared/[name]-[hash].js";
  return relative(src, facadeModuleId).replace(/\.ts$/, ".js");
}
