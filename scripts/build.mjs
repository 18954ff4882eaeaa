// Bundles src/ into dist/, or into the folder named by the first argument. `npm run check` checks the types.
import { rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compileChunks } from "./build/compile-chunks.mjs";
import { bundlePage } from "./build/page.mjs";
import { bundleProgram } from "./build/program.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = resolve(process.argv[2] ?? join(root, "dist"));

rmSync(out, { recursive: true, force: true });
await Promise.all([bundleProgram(out), bundlePage(join(out, "chat/web/page"))]);
await compileChunks(out);
