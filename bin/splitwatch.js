#!/usr/bin/env node
// Runs splitwatch: a clone from its sources, the package and the image from the bundle.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runWithNode } from "./with-node.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const source = join(root, "src/main.ts");
await runWithNode(existsSync(source) ? source : join(root, "dist/main.js"), process.argv.slice(2));
