import { expect, it } from "vitest";
import { exchange, ticker } from "../../test/support/builders.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { createListeners } from "../lib/listeners.ts";
import type { Documents } from "../ports/store.ts";
import { createSymbolTable } from "./symbol-table.ts";

/** Documents of two processes: a write of one notifies the other. */
function sharedDocuments(): readonly [Documents, Documents] {
  const texts = new Map<string, string>();
  const listeners = [createListeners<[string]>(), createListeners<[string]>()] as const;
  const documentsOf = (own: 0 | 1): Documents => ({
    read: async (name) => texts.get(name) ?? null,
    async write(name, text) {
      texts.set(name, text);
      listeners[own === 0 ? 1 : 0].notify(name);
    },
    onChange: listeners[own].add,
  });
  return [documentsOf(0), documentsOf(1)];
}

it("contains the directories that another process has read", async () => {
  const clock = new ManualClock();
  const [reading, following] = sharedDocuments().map((documents) => createSymbolTable(documents));
  await following?.load(clock);
  const listed = new Map([[ticker("QLMR"), { company: "Quillmere Therapeutics, Inc.", exchange: exchange("NASDAQ") }]]);
  await reading?.replace("nasdaqtraded", {
    url: "https://directory.example/",
    readAt: clock.now(),
    validators: {},
    listed,
  });
  await waitUntil("the other process has the directory", () => following?.find(ticker("QLMR")).length === 1);
  expect(following?.find(ticker("QLMR"))).toMatchObject([{ company: "Quillmere Therapeutics, Inc." }]);
});
