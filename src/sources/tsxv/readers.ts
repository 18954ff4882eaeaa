export { readBulletinList } from "./bulletin-list.ts";
export { readBulletinPage } from "./bulletin-page.ts";
