// Bundles src/ into dist/. `npm run check` checks the types.
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileChunks } from "./build/compile-chunks.mjs";
import { bundlePage } from "./build/page.mjs";
import { bundleProgram } from "./build/program.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = join(root, "dist");

rmSync(out, { recursive: true, force: true });
await Promise.all([bundleProgram(out), bundlePage(join(out, "chat/web/page"))]);
await compileChunks(out);
