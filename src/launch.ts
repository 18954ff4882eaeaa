#!/usr/bin/env node
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { createChunkLoader } from "./lib/chunk-loader.ts";

const START_MS = 10_000;

// Compiles each regular expression directly to machine code, not to bytecode first. Extraction uses hundreds of large ones;
// this halves the time for the first release.
setFlagsFromString("--regexp-tier-up-ticks=0");

// The start makes garbage for which V8 would reserve up to 32 MB, and an idle process never gives them back.
setFlagsFromString("--semi-space-growth-factor=1");
setTimeout(() => setFlagsFromString("--semi-space-growth-factor=2"), START_MS).unref();

createChunkLoader()(join(import.meta.dirname, "program.cjs"));
