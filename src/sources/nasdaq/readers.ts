import { defineReaders } from "../reading/document-reader.ts";

export const NASDAQ_READERS = defineReaders("nasdaq", {
  readArchiveRows: async () => (await import("./read-lists.ts")).readArchiveRows,
  readNoticeFeed: async () => (await import("./read-lists.ts")).readNoticeFeed,
  readRpcAnswer: async () => (await import("./read-lists.ts")).readRpcAnswer,
  readNotice: async () => (await import("./read-notice.ts")).readNotice,
});
