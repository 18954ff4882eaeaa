// Compiles src/ to dist/, and the web page's script and assets beside it.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

rmSync(join(root, "dist"), { recursive: true, force: true });
// The page first: it also emits the modules whose types it imports, and the second project replaces those.
for (const project of ["tsconfig.page.json", "tsconfig.build.json"]) {
  execFileSync(process.execPath, [tsc, "-p", join(root, project)], { stdio: "inherit" });
}
const page = join(root, "src/chat/web/page");
if (existsSync(page)) {
  cpSync(page, join(root, "dist/chat/web/page"), { recursive: true, filter: (path) => !path.endsWith(".ts") });
}
