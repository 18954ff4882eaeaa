export { readDailyListPage } from "./read-daily-list.ts";
