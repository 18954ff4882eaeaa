import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const BUILD = new URL("../../../scripts/build/page.mjs", import.meta.url).href;

/** Builds the page like `npm run build`, in a temporary folder. */
export async function buildPage(): Promise<{ readonly assetsDir: URL; remove(): void }> {
  const { bundlePage } = (await import(BUILD)) as { readonly bundlePage: (folder: string) => Promise<void> };
  const folder = mkdtempSync(join(tmpdir(), "splitwatch-page-"));
  await bundlePage(folder);
  return { assetsDir: pathToFileURL(`${folder}/`), remove: () => rmSync(folder, { recursive: true }) };
}
