import { type ChatDestination, DEFAULT_CHANNEL, parseName } from "./protocol.ts";

/** Who sits before the page, and which channel it shows. */
export interface Identity {
  /** Null until one is picked. */
  readonly name: string | null;
  readonly channel: string;
}

const NAME_KEY = "splitwatch.name";
const CHANNEL_KEY = "splitwatch.channel";

/** As this browser knows it from the last visit. */
export function savedIdentity(): Identity {
  return {
    name: parseName(readStorage(NAME_KEY)) ?? null,
    channel: parseName(readStorage(CHANNEL_KEY)) ?? DEFAULT_CHANNEL,
  };
}

export function saveIdentity(identity: Identity): void {
  writeStorage(CHANNEL_KEY, identity.channel);
  if (identity.name !== null) writeStorage(NAME_KEY, identity.name);
}

/** `#general`, or `Direct message`. */
export function destinationName(destination: ChatDestination): string {
  return destination.kind === "channel" ? `#${destination.id}` : "Direct message";
}

/** What this browser keeps under `key`; a browser that keeps nothing gives an empty text. */
export function readStorage(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** The page works all the same where the browser refuses to keep anything. */
export function writeStorage(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Nothing is lost but the memory of the next visit.
  }
}
