// Loaded into the program with --import. Saves the compiled code of all chunks when it receives their paths and the address of
// the module src/lib/chunk-loader.ts.
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import v8 from "node:v8";
import vm from "node:vm";

const scripts = new Map();

vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    scripts.set(options.filename, this);
  }
};

const { setFlagsFromString } = v8;
// V8 uses compiled code only with the flags with which it was saved: these must stay those of the start.
v8.setFlagsFromString = (flags) => {
  if (scripts.size === 0) setFlagsFromString(flags);
};
syncBuiltinESMExports();

process.on("message", async ({ chunkLoader, chunks }) => {
  const { saveCompiledCode } = await import(chunkLoader);
  // Of a chunk that was not needed, V8 compiles the code that runs when it is loaded.
  for (const path of chunks) if (!scripts.has(path)) compile(path);
  for (const [path, script] of scripts) saveCompiledCode(path, script);
  process.exit(0);
});

function compile(path) {
  return new vm.Script(readFileSync(path, "latin1"), { filename: path });
}
