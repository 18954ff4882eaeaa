import { el } from "./dom.ts";
import { timeAgo, timeUntil } from "./time.ts";

/** By how much this machine's clock is behind the server's. */
let behindMs = 0;

export function serverNow(): number {
  return Date.now() + behindMs;
}

export function setServerTime(now: number): void {
  behindMs = now - Date.now();
}

/** A time that `refreshTimes` keeps true; the full time shows when it is pointed at. */
export function relativeTime(at: number, direction: "ago" | "until" = "ago"): HTMLTimeElement {
  const when = new Date(at);
  return el(
    "time",
    { datetime: when.toISOString(), title: when.toLocaleString(), [`data-${direction}`]: String(at) },
    direction === "ago" ? timeAgo(at, serverNow()) : timeUntil(at, serverNow()),
  );
}

export function refreshTimes(): void {
  const now = serverNow();
  for (const element of document.querySelectorAll<HTMLTimeElement>("time[data-ago], time[data-until]")) {
    const { ago, until } = element.dataset;
    const text = ago === undefined ? timeUntil(Number(until), now) : timeAgo(Number(ago), now);
    if (element.textContent !== text) element.textContent = text;
  }
}
