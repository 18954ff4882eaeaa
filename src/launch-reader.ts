// The script of the thread that reads documents: loads its part of the bundle with its compiled code.
import { join } from "node:path";
import { createChunkLoader } from "./lib/chunk-loader.ts";
import { limitGarbageOfStart } from "./lib/start-flags.ts";

// Starting a thread resets the flag, and V8 uses compiled code only with the flags with which it was saved.
limitGarbageOfStart();

createChunkLoader().load(join(import.meta.dirname, "reader.cjs"));
