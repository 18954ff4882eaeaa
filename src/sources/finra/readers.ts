import { defineReaders } from "../reading/document-reader.ts";

export const FINRA_READERS = defineReaders("finra", {
  readDailyListPage: async () => (await import("./read-daily-list.ts")).readDailyListPage,
});
