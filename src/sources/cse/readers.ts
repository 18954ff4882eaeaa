import { defineReaders } from "../reading/document-reader.ts";

export const CSE_READERS = defineReaders("cse", {
  readBulletinList: async () => (await import("./bulletin-list.ts")).readBulletinList,
  readBulletinPage: async () => (await import("./bulletin-page.ts")).readBulletinPage,
});
