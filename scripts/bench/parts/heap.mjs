// Prints the memory of a subject after garbage collection, in bytes. Arguments: "store" and a folder, or "packed" and the number of
// watch entries.
import { importStores, watchlistRecords } from "./stores.mjs";

const SUBJECTS = {
  async store(dir) {
    const stores = await importStores("heap");
    return stores.open(dir);
  },
  packed(entries) {
    const people = [];
    const lists = [];
    const watchers = new Map();
    for (const { value } of watchlistRecords(Number(entries))) {
      const { person, tickers } = value;
      for (const ticker of tickers) watchers.set(ticker, [...(watchers.get(ticker) ?? []), people.length]);
      people.push(flat(person.id));
      lists.push(flat(tickers.join(" ")));
    }
    return {
      people,
      lists,
      watchers: new Map([...watchers].map(([ticker, all]) => [flat(ticker), Uint32Array.from(all)])),
    };
  },
};

/** The same string without references to the strings that it was made of. */
function flat(text) {
  return Buffer.from(text).toString("latin1");
}

const [, , name, argument] = process.argv;
const subject = await SUBJECTS[name](argument);
globalThis.gc();
globalThis.gc();
const { heapUsed, external } = process.memoryUsage();
console.log(heapUsed + external);
await subject.close?.();
