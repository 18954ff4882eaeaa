import type { Card, CommandAnswer, Message, Messages } from "../../src/chat/web/page/protocol.ts";

/** A channel, or somebody's direct messages. */
export type WebDestination = { readonly channel: string } | { readonly person: string };

/** So many of the newest messages the server hands out at once. */
const MAX_MESSAGES = 300;

/** Longer than any answer may take. */
const TIMEOUT_MS = 20_000;

/** An answer of the web chat's API that is none of the 200s. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(`${status}: ${detail}`);
    this.status = status;
  }
}

/** Throws every error but that of a connection that broke, or was not taken. */
export function rethrowUnlessDisconnected(error: unknown): void {
  if (!(error instanceof TypeError)) throw error;
}

/** What `name` types at `place`, answered by the running process at `address`. Rejects when no whole answer came. */
export async function ask(
  address: string,
  name: string,
  line: string,
  place?: WebDestination,
): Promise<readonly Card[]> {
  const where = place === undefined || "person" in place ? { direct: true } : place;
  const answer = await request(`${address}/api/command`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, line, ...where }),
  });
  return (answer as CommandAnswer).cards;
}

/** The place's messages after number `after`, oldest first: the newest 300 at most. */
export async function readMessages(address: string, place: WebDestination, after = 0): Promise<readonly Message[]> {
  const query =
    "channel" in place ? { channel: place.channel } : { name: place.person, channel: "nobody-posts-in-this-one" };
  const search = new URLSearchParams({ ...query, after: String(after) });
  const answer = await request(`${address}/api/messages?${search.toString()}`);
  return (answer as Messages).messages;
}

/** Reads a place over the lives of many processes, and so more than the server hands out at once. */
export class DestinationReader {
  readonly destination: WebDestination;
  readonly messages: Message[] = [];

  constructor(place: WebDestination) {
    this.destination = place;
  }

  async read(address: string): Promise<void> {
    const fresh = await readMessages(address, this.destination, this.messages.at(-1)?.number);
    if (fresh.length >= MAX_MESSAGES) throw new Error("the test reads too seldom: messages may have been left out");
    this.messages.push(...fresh);
  }

  /** Whether what was read in earlier lives is still there, as far as the server hands it out. */
  async hasSameMessages(address: string): Promise<boolean> {
    const newest = await readMessages(address, this.destination);
    return JSON.stringify(newest) === JSON.stringify(this.messages.slice(-newest.length));
  }
}

/** The value of a metric that has no labels. */
export async function readMetric(address: string, name: string): Promise<number> {
  const response = await fetch(`${address}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await response.text())?.[1]);
}

/** Ready or not, and why. */
export async function readReadiness(
  address: string,
): Promise<{ ready: boolean; checks: Record<string, { ok: boolean; detail: string }> }> {
  const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return (await response.json()) as Awaited<ReturnType<typeof readReadiness>>;
}

async function request(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const answer = (await response.json()) as { readonly detail?: string };
  if (!response.ok) throw new RefusedError(response.status, answer.detail ?? "");
  return answer;
}
