import { defineReaders } from "../reading/document-reader.ts";

export const OCC_READERS = defineReaders("occ", {
  readMemoList: async () => (await import("./read-memo-list.ts")).readMemoList,
});
