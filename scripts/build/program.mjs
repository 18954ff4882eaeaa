import { dirname, join } from "node:path";
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

/** Writes the program, main.js, and its thread for documents, reader.js. What is imported on demand is a file of its own. */
export async function bundleProgram(out, { sourcemap = false } = {}) {
  const build = await rolldown({ ...PROGRAM_INPUT, input: [join(src, "main.ts"), join(src, "reader.ts")] });
  // Stack traces keep the names of functions. V8 keeps a source that is ASCII in half of the memory.
  const minify = { compress: false, mangle: false, codegen: { removeWhitespace: !sourcemap, asciiOnly: true } };
  await build.write({ dir: out, format: "esm", sourcemap, minify });
  await build.close();
}
