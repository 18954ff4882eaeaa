import { announce } from "./announce.ts";
import { byId } from "./dom.ts";
import type { Connection } from "./live.ts";

/** Says when the connection is lost, and when it is back. */
export function showConnection(state: Connection): void {
  const banner = byId("connection", HTMLElement);
  const was = document.body.dataset.connection;
  if (was === state) return;
  if (state === "connecting" && was === "lost") return;
  document.body.dataset.connection = state;
  banner.hidden = state !== "lost";
  if (state === "lost") announce("Connection lost. Trying again.");
  if (state === "live" && was === "lost") announce("Connected again.");
}
