import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { deserialize } from "node:v8";
import { packagePath } from "../../lib/package.ts";

/** Bundled files of the page by name, with their compressed copies. */
export type PageFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Folder beside this module: the bundled page in a build, its sources in a clone. */
const FOLDER = fileURLToPath(new URL("./page/", import.meta.url));

const MAX_PAGE_BYTES = 32 * 1024 * 1024;

let page: Promise<PageFiles> | null = null;

/** Resolves with the page of this process. In a clone, a process of its own bundles it, once: the bundler takes much memory. */
export function loadPage(): Promise<PageFiles> {
  page ??= existsSync(join(FOLDER, "main.ts")) ? bundlePage() : readPage(FOLDER);
  return page;
}

/** Reads a folder with a bundled page. */
export async function readPage(folder: string): Promise<PageFiles> {
  const files = await readdir(folder, { withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map(({ name }) => name);
  return new Map(
    await Promise.all(names.map(async (name) => [name, new Uint8Array(await readFile(join(folder, name)))] as const)),
  );
}

async function bundlePage(): Promise<PageFiles> {
  const script = packagePath("scripts/build/page.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    encoding: "buffer",
    maxBuffer: MAX_PAGE_BYTES,
  }).catch((error: unknown) => {
    throw new Error("The page can't be bundled; run `npm ci`", { cause: error });
  });
  return deserialize(stdout) as PageFiles;
}
