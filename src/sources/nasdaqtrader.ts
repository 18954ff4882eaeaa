import { decodeText } from "./web/decode-text.ts";
import { unreadable } from "./web/fetch-error.ts";
import type { WebAnswer } from "./web/web.ts";

/** Minimum pause between two requests. The host serves declared clients at 0.6 to 1 second. */
export const PACE_MS = 800;

const COUNT = /<ndaq:numItems>\s*(\d{1,6})\s*<\/ndaq:numItems>/i;

/** Text of a feed of nasdaqtrader.com. */
export function feedText({ body, header }: WebAnswer): string {
  return decodeText(body, header("content-type"));
}

/** Throws a FetchError if the feed states another number of items, or is empty and states none: it is then incomplete. */
export function checkItemCount(answer: WebAnswer, found: number): void {
  const stated = COUNT.exec(feedText(answer))?.[1];
  if (stated === undefined && found === 0)
    throw unreadable(answer, "it has no items, and doesn't state that there are none");
  if (stated === undefined || Number(stated) === found) return;
  throw unreadable(answer, `it is incomplete: it states ${stated} items and has ${found}`);
}
