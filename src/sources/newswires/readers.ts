export { readFeed } from "../web/read-feed.ts";
export { readNewsroomAnswer, readNewsroomToken } from "./newsroom-answer.ts";
export { readPage } from "./read-page.ts";
export { readReleaseList } from "./read-release-list.ts";
