import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Builds the page like `npm run build`, in a temporary folder. */
export function buildPage(): { readonly assetsDir: URL; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "splitwatch-page-"));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", join(root, "tsconfig.page.json"), "--outDir", folder], {
    stdio: "inherit",
  });
  // The output keeps the paths below src/, because the page imports types from other folders.
  const page = join(folder, "chat/web/page");
  cpSync(join(root, "src/chat/web/page"), page, { recursive: true, filter: (path) => !path.endsWith(".ts") });
  return { assetsDir: pathToFileURL(`${page}/`), remove: () => rmSync(folder, { recursive: true }) };
}
