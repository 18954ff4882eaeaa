import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const PAGE = join(dirname(fileURLToPath(import.meta.url)), "../../src/chat/web/page");

/** Bundles the page of the web chat into a folder. */
export async function bundlePage(out) {
  const build = await rolldown({ input: join(PAGE, "main.ts"), platform: "browser" });
  await build.write({ dir: out, format: "esm" });
  await build.close();
  await cp(PAGE, out, { recursive: true, filter: (path) => !path.endsWith(".ts") });
}
