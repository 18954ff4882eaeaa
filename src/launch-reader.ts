// The script of the thread that reads documents: loads its part of the bundle with its compiled code.
import { join } from "node:path";
import { createChunkLoader } from "./lib/chunk-loader.ts";

createChunkLoader().load(join(import.meta.dirname, "reader.cjs"));
