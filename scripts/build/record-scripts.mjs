// Loaded into the program and its thread with --import. Saves the compiled code of all chunks when it receives their paths and the
// address of the module src/lib/chunk-loader.ts. The thread saves the chunks that only it has loaded.
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import v8 from "node:v8";
import vm from "node:vm";
import { BroadcastChannel, isMainThread } from "node:worker_threads";

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

const channel = new BroadcastChannel("record-scripts");
channel.unref();

if (isMainThread) {
  process.on("message", async ({ chunkLoader, chunks }) => {
    const ofThread = await saveInThread(chunkLoader);
    // Of a chunk that was not needed, V8 compiles the code that runs when it is loaded.
    for (const path of chunks) if (!scripts.has(path) && !ofThread.includes(path)) compile(path);
    await save(chunkLoader, [...scripts.keys()]);
    process.exit(0);
  });
} else {
  channel.addEventListener("message", async ({ data: { chunkLoader, loaded } }) => {
    const paths = [...scripts.keys()].filter((path) => !loaded.includes(path));
    await save(chunkLoader, paths);
    channel.postMessage(paths);
  });
}

/** Resolves with the paths of the chunks that the thread has saved. */
function saveInThread(chunkLoader) {
  const saved = new Promise((resolve) => {
    channel.addEventListener("message", ({ data }) => resolve(data), { once: true });
  });
  channel.postMessage({ chunkLoader, loaded: [...scripts.keys()] });
  return saved;
}

async function save(chunkLoader, paths) {
  const { saveCompiledCode } = await import(chunkLoader);
  for (const path of paths) saveCompiledCode(path, scripts.get(path));
}

function compile(path) {
  return new vm.Script(readFileSync(path, "latin1"), { filename: path });
}
