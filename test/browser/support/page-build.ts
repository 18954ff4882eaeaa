import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const BUILD = fileURLToPath(new URL("../../../scripts/build.mjs", import.meta.url));

/** Builds the page like `npm run build`, in a temporary folder. */
export function buildPage(): { readonly assetsDir: URL; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "splitwatch-page-"));
  execFileSync(process.execPath, [BUILD, folder], { stdio: "inherit" });
  return {
    assetsDir: pathToFileURL(`${join(folder, "chat/web/page")}/`),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
