// Copies the packages that the built program loads at run time, with their dependencies, into the folder named by the argument:
// everything else is bundled in dist/. Used for the container image.
import { cpSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { UNBUNDLED_PACKAGES } from "./build/program.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

/** Path of a package as the package in `folder` resolves it; "" is the project. */
function pathOf(name, folder) {
  const path = join(folder, "node_modules", name);
  if (packages[path]) return path;
  if (folder === "") throw new Error(`${name}: not in package-lock.json`);
  return pathOf(name, folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/"))));
}

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("usage: runtime-packages.mjs FOLDER");
const paths = new Set(UNBUNDLED_PACKAGES.map((name) => pathOf(name, "")));
// The set grows while it is read.
for (const path of paths)
  for (const name of Object.keys(packages[path].dependencies ?? {})) paths.add(pathOf(name, path));
/** Files that the program never loads: fonts other than those of its pictures, tables about the fonts, and tests of packages. */
const UNUSED =
  /\/ttf\/(?!DejaVuSans(?:-Bold)?\.ttf$)|-ttf\/\w+\.txt$|\/(?:\.\w[^/]*|benchmarks|example|fixtures?|test)$/;

for (const path of paths)
  cpSync(join(root, path), join(resolve(target), path.slice("node_modules/".length)), {
    recursive: true,
    filter: (file) => !UNUSED.test(relative(root, file)),
  });
