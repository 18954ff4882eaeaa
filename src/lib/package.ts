import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE_FOLDER = findPackageFolder(dirname(fileURLToPath(import.meta.url)));

/** Path of a file that is part of the package, such as `config/default.yaml`. */
export function packagePath(path: string): string {
  return join(PACKAGE_FOLDER, path);
}

/** The compiled modules are bundled, so the depth of this module below the package's folder is not known. */
function findPackageFolder(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : findPackageFolder(dirname(folder));
}

/** The version of splitwatch, from package.json. */
export function readVersion(): string {
  const text = readFileSync(packagePath("package.json"), "utf8");
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}

/** True if splitwatch runs as a program of its own, as in the container image. `program`: path of the started script. */
export function isOwnProgram(program = process.argv[1] ?? ""): boolean {
  return basename(program) === "splitwatch" && !program.split(sep).includes("node_modules");
}

/** Command that runs splitwatch, for hints. npx finds it in the project's folder and in an installed package. */
export function programCommand(program?: string): string {
  return isOwnProgram(program) ? "splitwatch" : "npx splitwatch";
}
