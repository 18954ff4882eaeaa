import { expect, it } from "vitest";
import { exchange, ticker } from "../../test/support/builders.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { sharedDocuments } from "../../test/support/shared-documents.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { createSymbolTable, type SymbolList } from "./symbol-table.ts";

const QLMR = new Map([[ticker("QLMR"), { company: "Quillmere Therapeutics, Inc.", exchange: exchange("NASDAQ") }]]);

function listOf(listed: SymbolList["listed"], { readAt }: Pick<SymbolList, "readAt">): SymbolList {
  return { url: "https://directory.example/", readAt, validators: {}, listed };
}

it("contains the directories that another process has read", async () => {
  const clock = new ManualClock();
  const [reading, following] = sharedDocuments().documents.map((documents) => createSymbolTable(documents));
  await following?.load(clock);
  await reading?.replace("nasdaqtraded", listOf(QLMR, { readAt: clock.now() }));
  await waitUntil("the other process has the directory", () => following?.find(ticker("QLMR")).length === 1);
  expect(following?.find(ticker("QLMR"))).toMatchObject([{ company: "Quillmere Therapeutics, Inc." }]);
});

it("keeps its directories while the copies of another process can't be read", async () => {
  const clock = new ManualClock();
  const shared = sharedDocuments();
  const [reading, following] = shared.documents.map((documents) => createSymbolTable(documents));
  await following?.load(clock);
  await following?.replace("otherlisted", listOf(QLMR, { readAt: clock.now() }));
  shared.isUnavailable = true;
  await reading?.replace("otherlisted", listOf(new Map(), { readAt: clock.now() }));
  expect(following?.find(ticker("QLMR"))).toHaveLength(1);
});
