import { defineReaders } from "../reading/document-reader.ts";

export const HALTS_READERS = defineReaders("halts", {
  readHalts: async () => (await import("./read-halts.ts")).readHalts,
});
