import { el } from "./dom.ts";
import { localTime, timeAgo, timeUntil } from "./time.ts";

/** Offset of the server's clock from the browser's clock. */
let offsetMs = 0;

export function serverNow(): number {
  return Date.now() + offsetMs;
}

export function setServerTime(now: number): void {
  offsetMs = now - Date.now();
}

/** Relative time, updated by `refreshTimes`, with the full time as tooltip. */
export function relativeTime(at: number, direction: "ago" | "until" = "ago"): HTMLTimeElement {
  return el(
    "time",
    { datetime: new Date(at).toISOString(), title: localTime(at), [`data-${direction}`]: String(at) },
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
