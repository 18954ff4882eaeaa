import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";

/** Peer address. Ignores forwarding headers, which a client can forge. Empty if there is no connection, as in a test. */
export function clientAddress(c: Context): string {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  return incoming?.socket.remoteAddress ?? "";
}
