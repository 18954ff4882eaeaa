import type { HttpAnswer } from "./client.ts";

/**
 * How long the answer asks to wait: seconds or a date; undefined where it is neither. A date counts by the sender's own clock,
 * where it tells it. Never more than `longestMs`: a wrong header must not make us deaf for days.
 */
export function readRetryAfter({ header }: HttpAnswer, now: number, longestMs: number): number | undefined {
  const text = header("retry-after")?.trim() ?? "";
  const senderNow = Date.parse(header("date") ?? "");
  const until = Date.parse(text) - (Number.isNaN(senderNow) ? now : senderNow);
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : until;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestMs);
}
