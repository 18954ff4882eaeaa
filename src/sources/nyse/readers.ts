import { defineReaders } from "../reading/document-reader.ts";

export const NYSE_READERS = defineReaders("nyse", {
  readActionsPage: async () => (await import("./read-actions.ts")).readActionsPage,
});
