import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const src = join(dirname(fileURLToPath(import.meta.url)), "../../src");

/** Packages with files of their own, and a package that few starts need. They are installed beside the built program. */
export const UNBUNDLED_PACKAGES = ["@resvg/resvg-wasm", "dejavu-fonts-ttf", "pino-pretty"];

const isUnbundled = (id) => UNBUNDLED_PACKAGES.some((name) => id === name || id.startsWith(`${name}/`));

/** Packages that libraries use if they are installed. */
const OPTIONAL_PACKAGES = /^(?:zlib-sync|bufferutil|utf-8-validate)$/;

/** How modules of src/ are bundled for Node. */
export const PROGRAM_INPUT = {
  platform: "node",
  external: (id) => isUnbundled(id) || OPTIONAL_PACKAGES.test(id),
  resolve: { mainFields: ["module", "main"] },
  // discord.js evaluates code for its sharding manager, which splitwatch doesn't use.
  checks: { eval: false },
};

/**
 * Writes main.js and reader.js, which load the program and its thread for documents, and both in CommonJS chunks: V8 can keep compiled code only of these.
 * `isProfiled`: the chunks keep their lines and have source maps.
 */
export async function bundleProgram(out, { isProfiled = false } = {}) {
  for (const [script, file] of Object.entries(SCRIPTS))
    await write({ input: join(src, script), platform: "node" }, { file: join(out, file), format: "esm" });
  const { output } = await write(
    { ...PROGRAM_INPUT, input: { program: join(src, "main.ts"), reader: join(src, "reader.ts") } },
    {
      dir: out,
      format: "cjs",
      sourcemap: isProfiled && "hidden",
      entryFileNames: "[name].cjs",
      chunkFileNames: chunkPath,
      // As src/lib/chunk-loader.ts evaluates it.
      postBanner: "(function (exports, require, module, __filename, __dirname) {",
      postFooter: "})",
      // Stack traces keep the names of functions. Without whitespace and in ASCII, the source takes half of the memory.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: !isProfiled, asciiOnly: true } },
    },
  );
  for (const { fileName, dynamicImports = [] } of output) assertLoadable(fileName, dynamicImports);
}

const SCRIPTS = { "launch.ts": "main.js", "launch-reader.ts": "reader.js" };

async function write(input, output) {
  const build = await rolldown(input);
  const written = await build.write(output);
  await build.close();
  return written;
}

/** A script that is compiled without a loader of ES modules can't import packages on demand. */
function assertLoadable(fileName, dynamicImports) {
  const [id] = dynamicImports.filter((name) => isUnbundled(name));
  if (id !== undefined) throw new Error(`${fileName}: imports ${id} on demand; use createRequire`);
}

/** Keeps the path of each module that is imported on demand: it may read files from its folder. */
function chunkPath({ facadeModuleId }) {
  if (!facadeModuleId?.startsWith(src)) return "shared/[name]-[hash].cjs";
  return relative(src, facadeModuleId).replace(/\.ts$/, ".cjs");
}
