import type { Card, CommandAnswer, Message, Messages } from "../../src/chat/web/page/protocol.ts";

/** A channel, or the direct messages of a person. */
export type WebDestination = { readonly channel: string } | { readonly person: string };

/** Maximum number of messages that the server returns. */
const MAX_MESSAGES = 300;

/** Timeout of a request: longer than a busy machine takes. */
const TIMEOUT_MS = 60_000;

/** Error response of the web chat's API. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(`${status}: ${detail}`);
    this.status = status;
  }
}

/** Rethrows every error except a refused or broken connection. */
export function rethrowUnlessDisconnected(error: unknown): void {
  if (!(error instanceof TypeError)) throw error;
}

/** Repeats a request once: the server may close an idle connection at the moment at which it is used again. */
export function reconnecting<T>(send: () => Promise<T>): Promise<T> {
  return send().catch((error: unknown) => {
    rethrowUnlessDisconnected(error);
    return send();
  });
}

/** Runs the command of `name` in the process at `address`. Rejects without a complete answer. */
export async function ask(
  address: string,
  name: string,
  line: string,
  destination?: WebDestination,
): Promise<readonly Card[]> {
  const where = destination === undefined || "person" in destination ? { direct: true } : destination;
  const answer = await request(`${address}/api/command`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, line, ...where }),
  });
  return (answer as CommandAnswer).cards;
}

/** Messages of the destination after number `after`, oldest first: at most the newest 300. */
export async function readMessages(
  address: string,
  destination: WebDestination,
  after = 0,
): Promise<readonly Message[]> {
  const query =
    "channel" in destination
      ? { channel: destination.channel }
      : { name: destination.person, channel: "unused-channel" };
  const search = new URLSearchParams({ ...query, after: String(after) });
  const answer = await request(`${address}/api/messages?${search.toString()}`);
  return (answer as Messages).messages;
}

/** Collects the messages of a destination across restarts, more than the server returns in one response. */
export class DestinationReader {
  readonly destination: WebDestination;
  readonly messages: Message[] = [];

  constructor(destination: WebDestination) {
    this.destination = destination;
  }

  async read(address: string): Promise<void> {
    const fresh = await readMessages(address, this.destination, this.messages.at(-1)?.number);
    if (fresh.length >= MAX_MESSAGES) throw new Error("messages may be missing: the test reads too seldom");
    this.messages.push(...fresh);
  }

  /** Whether the messages that the server still returns are unchanged. */
  async hasSameMessages(address: string): Promise<boolean> {
    const newest = await readMessages(address, this.destination);
    return JSON.stringify(newest) === JSON.stringify(this.messages.slice(-newest.length));
  }
}

/** Value of a metric without labels. */
export async function readMetric(address: string, name: string): Promise<number> {
  const response = await fetch(`${address}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await response.text())?.[1]);
}

/** Readiness with the results of the checks. */
export async function readReadiness(
  address: string,
): Promise<{ ready: boolean; checks: Record<string, { ok: boolean; detail: string; problem?: string }> }> {
  const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return (await response.json()) as Awaited<ReturnType<typeof readReadiness>>;
}

async function request(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const answer = (await response.json()) as { readonly detail?: string };
  if (!response.ok) throw new RefusedError(response.status, answer.detail ?? "");
  return answer;
}
