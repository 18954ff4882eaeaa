import { decodeText } from "./web/decode-text.ts";
import { unreadable } from "./web/fetch-error.ts";
import type { WebAnswer } from "./web/web-answer.ts";

const ITEM_COUNT = /<ndaq:numItems>\s*(\d{1,6})\s*<\/ndaq:numItems>/i;

/** Decoded text of a feed of nasdaqtrader.com. */
export function feedText({ body, header }: WebAnswer): string {
  return decodeText(body, header("content-type"));
}

/** Throws a FetchError for an incomplete feed: its stated item count isn't `found`, or it has neither items nor a count. */
export function checkItemCount(answer: WebAnswer, found: number): void {
  const stated = ITEM_COUNT.exec(feedText(answer))?.[1];
  if (stated === undefined && found === 0)
    throw unreadable(answer, "it has no items, and doesn't state that there are none");
  if (stated === undefined || Number(stated) === found) return;
  throw unreadable(answer, `it is incomplete: it states ${stated} items and has ${found}`);
}
