import { afterEach, expect, it, vi } from "vitest";
import { aPosting } from "../../../../test/contract/store-builders.ts";
import { openIn, StoreFolders } from "../../../../test/support/store-folder.ts";
import { Table } from "../rows/table.ts";

const folders = new StoreFolders();

afterEach(() => folders.removeAll());

it("are not read for each count", async () => {
  const store = await openIn(await folders.make());
  await store.postings.post(aPosting("share-1"));
  expect(await store.postings.count("share-", 0)).toBe(1);
  const reads = vi.spyOn(Table.prototype, "rows");
  await store.postings.post(aPosting("share-2"));
  expect(await store.postings.count("share-", 0)).toBe(2);
  expect(reads).not.toHaveBeenCalled();
  reads.mockRestore();
  await store.close();
});
