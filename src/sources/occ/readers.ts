export { readMemoList } from "./read-memo-list.ts";
