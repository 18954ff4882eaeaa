import { byId } from "./dom.ts";
import type { ConnectionState } from "./live.ts";

const NOTICE_MS = 6_000;
const MAX_LINES = 5;

let noticeTimer = 0;

/** Announces a text to screen readers. */
export function announce(text: string): void {
  const region = byId("announcer", HTMLElement);
  const line = document.createElement("p");
  line.textContent = text;
  region.append(line);
  while (region.childElementCount > MAX_LINES) region.firstElementChild?.remove();
}

/** Shows a text for NOTICE_MS, and announces it. */
export function showNotice(text: string): void {
  announce(text);
  const element = byId("notice", HTMLElement);
  element.textContent = text;
  element.hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => {
    element.hidden = true;
  }, NOTICE_MS);
}

/** Shows a banner while the connection is lost, and announces when it is lost and restored. */
export function showConnection(state: ConnectionState): void {
  const banner = byId("connection", HTMLElement);
  const previous = document.body.dataset.connection;
  if (previous === state) return;
  if (state === "connecting" && previous === "lost") return;
  document.body.dataset.connection = state;
  banner.hidden = state !== "lost";
  if (state === "lost") announce("Connection lost. Trying again.");
  if (state === "live" && previous === "lost") announce("Connected again.");
}
