import { defineReaders } from "../reading/document-reader.ts";

export const WIRE_READERS = defineReaders("newswires", {
  readFeed: async () => (await import("../web/read-feed.ts")).readFeed,
  readNewsroomAnswer: async () => (await import("./newsroom-answer.ts")).readNewsroomAnswer,
  readNewsroomToken: async () => (await import("./newsroom-answer.ts")).readNewsroomToken,
  readPage: async () => (await import("./read-page.ts")).readPage,
  readReleaseList: async () => (await import("./read-release-list.ts")).readReleaseList,
});
