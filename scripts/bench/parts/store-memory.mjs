// Prints the memory of a process after garbage collection, in bytes, whose store has read and changed some watchlists. Argument: the
// folder of the store. Nothing is bundled in this process, which would take more memory.
import { log } from "./silent.mjs";
import { aPerson, letters } from "./stores.mjs";

const CALLS = 2_000;

const SOURCE = new URL("../../../src/", import.meta.url);

/** Not imported by its name: its types would change how the other scripts are checked. */
const [{ configuredStore }, { systemClock }] = await Promise.all(
  ["store/index.ts", "lib/clock.ts"].map((name) => import(new URL(name, SOURCE).href)),
);
const store = await configuredStore({ dataDir: process.argv[2] }).open({ clock: systemClock, log, holder: "bench" });
for (let n = 0; n < CALLS; n += 1) {
  await store.watchlists.of(aPerson(n * 37));
  for await (const _ of store.watchlists.watchersOf([letters(n * 5)]));
  await store.watchlists.add(aPerson(n), [letters(300_000 + n)]);
}
globalThis.gc();
globalThis.gc();
console.log(process.memoryUsage.rss());
await store.close();
