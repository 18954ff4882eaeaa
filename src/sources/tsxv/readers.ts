import { defineReaders } from "../reading/document-reader.ts";

export const TSXV_READERS = defineReaders("tsxv", {
  readBulletinList: async () => (await import("./bulletin-list.ts")).readBulletinList,
  readBulletinPage: async () => (await import("./bulletin-page.ts")).readBulletinPage,
});
