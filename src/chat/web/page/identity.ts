import { parseName } from "./name.ts";
import { type ChatDestination, DEFAULT_CHANNEL } from "./protocol.ts";

/** The reader's name and channel. */
export interface Identity {
  /** Null until the reader picks a name. */
  readonly name: string | null;
  readonly channel: string;
}

const NAME_KEY = "splitwatch.name";
const CHANNEL_KEY = "splitwatch.channel";

/** Identity of the last visit in this browser. */
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

/** Returns `#general` or `Direct message`. */
export function destinationName(destination: ChatDestination): string {
  return destination.kind === "channel" ? `#${destination.id}` : "Direct message";
}

/** Returns an empty text if nothing is stored or the browser blocks storage. */
export function readStorage(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** Does nothing if the browser blocks storage. */
export function writeStorage(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The page works without storage; the next visit starts without these values.
  }
}
