// Loaded with `node --import` into a process under test, before its time is scaled. Answers `{ settle: true }` when no request
// of the process is in flight, and `{ report: true }` with its use of resources after garbage collection.
import { subscribe } from "node:diagnostics_channel";
import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const realSetTimeout = setTimeout;
const sleep = (ms) => new Promise((wake) => realSetTimeout(wake, ms));

const CHECK_MS = 4;
const QUIET_CHECKS = 2;

const requestsInFlight = new Set();
subscribe("undici:request:create", ({ request }) => requestsInFlight.add(request));
for (const end of ["trailers", "error"])
  subscribe(`undici:request:${end}`, ({ request }) => requestsInFlight.delete(request));

async function settle() {
  for (let quiet = 0; quiet < QUIET_CHECKS; quiet = requestsInFlight.size === 0 ? quiet + 1 : 0) await sleep(CHECK_MS);
  process.send({ settled: true });
}

/** Number of open file descriptors; 0 on systems without /proc. */
function openDescriptors() {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}

async function report() {
  collectGarbage();
  // What finalizers release is collected by the second run.
  await sleep(CHECK_MS);
  collectGarbage();
  const { heapUsed: heapBytes, external: externalBytes, rss: residentBytes } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo().length;
  process.send({ report: { heapBytes, externalBytes, residentBytes, resources, descriptors: openDescriptors() } });
}

// The channel belongs to the main thread.
if (isMainThread) {
  process.on("message", (message) => {
    if (message.settle) void settle();
    if (message.report) void report();
  });
  process.channel.unref();
}
