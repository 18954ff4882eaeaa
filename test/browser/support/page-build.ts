import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PageFiles } from "../../../src/chat/web/page-files.ts";

const BUILD = new URL("../../../scripts/build/page.mjs", import.meta.url).href;

/** Builds the page like `npm run build`, in a temporary folder. */
export async function buildPage(): Promise<{ readonly assetsDir: URL; remove(): void }> {
  const { bundlePage } = (await import(BUILD)) as { readonly bundlePage: () => Promise<PageFiles> };
  const folder = mkdtempSync(join(tmpdir(), "splitwatch-page-"));
  for (const [name, content] of await bundlePage()) writeFileSync(join(folder, name), content);
  return { assetsDir: pathToFileURL(`${folder}/`), remove: () => rmSync(folder, { recursive: true }) };
}
