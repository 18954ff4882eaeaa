// A process that sends what waits in a database. Arguments: the address of the database, and the milliseconds between two messages
// of all processes together; 0: no limit. Ends when the parent process disconnects.
import { importDeliverer } from "./deliverer.mjs";
import { openPostgres } from "./postgres.mjs";

const [, , DATABASE, everyMs] = process.argv;

const start = await importDeliverer("deliverer-process");
const store = await openPostgres("deliverer-store", DATABASE);
const limits = everyMs === "0" ? [] : [{ key: "bench", everyMs: Number(everyMs), burst: 1, isShared: true }];
const deliverer = start(store, limits);
process.once("disconnect", async () => {
  await deliverer.stop();
  await store.close();
});
process.send("ready");
