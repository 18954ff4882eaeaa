// Loaded into the program with --import. Saves the compiled code of all loaded chunks when it receives the address of the
// module src/lib/chunk-loader.ts.
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

process.on("message", async (chunkLoader) => {
  const { saveCompiledCode } = await import(chunkLoader);
  for (const [path, script] of scripts) saveCompiledCode(path, script);
  process.exit(0);
});
