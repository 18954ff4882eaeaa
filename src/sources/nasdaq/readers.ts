export { readArchiveRows, readNoticeFeed, readRpcAnswer } from "./read-lists.ts";
export { readNotice } from "./read-notice.ts";
