#!/usr/bin/env node
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { createChunkLoader } from "./lib/chunk-loader.ts";
import { nodeVersionProblem } from "./lib/node-version.ts";
import { limitGarbageOfStart } from "./lib/start-flags.ts";

/** Time after which a process is not a short command, and keeps its chunks. */
const SHORT_COMMAND_MS = 1000;

/** Exit code of an invalid configuration. */
const EXIT_USAGE = 2;

const problem = nodeVersionProblem(process.versions.node);
if (problem !== null) {
  process.stderr.write(`splitwatch: ${problem}\n`);
  process.exit(EXIT_USAGE);
}

// Compiles each regular expression directly to machine code, not to bytecode first. Extraction uses hundreds of large ones;
// this halves the time for the first release.
setFlagsFromString("--regexp-tier-up-ticks=0");

limitGarbageOfStart();

const chunks = createChunkLoader();
chunks.load(join(import.meta.dirname, "program.cjs"));
setTimeout(() => chunks.hold(import.meta.dirname), SHORT_COMMAND_MS).unref();
