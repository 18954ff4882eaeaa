// Loaded into a process and its threads with --import. On the message "main" the main thread writes what it has run since the message
// before, into the folder of NODE_V8_COVERAGE; on "threads" the other threads do.
import { takeCoverage } from "node:v8";
import { BroadcastChannel, isMainThread } from "node:worker_threads";

const threads = new BroadcastChannel("coverage");
threads.unref();

if (isMainThread) {
  process.on("message", (message) => {
    if (message === "threads") threads.postMessage(null);
    if (message !== "main") return;
    takeCoverage();
    process.send?.("main");
  });
} else threads.addEventListener("message", () => takeCoverage());
