import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The page as `npm run build` makes it, in a folder of the test's own. */
export function buildPage(): { readonly assetsDir: URL; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "splitwatch-page-"));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", join(root, "tsconfig.page.json"), "--outDir", folder], {
    stdio: "inherit",
  });
  cpSync(join(root, "src/chat/web/page"), folder, { recursive: true, filter: (path) => !path.endsWith(".ts") });
  return { assetsDir: pathToFileURL(`${folder}/`), remove: () => rmSync(folder, { recursive: true }) };
}
