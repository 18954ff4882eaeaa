import type { RespondArguments } from "@slack/bolt";

/** Sends to whoever asked, or to all in the conversation, at the address that Slack gave for that. */
export type Respond = (message: RespondArguments) => Promise<unknown>;

/** Real milliseconds. */
const TIMEOUT_MS = 10_000;

/** Answers at an address that Slack gave with an earlier press: it is good for half an hour, and for five answers. */
export function createResponder(address: string): Respond {
  return async (message) => {
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`Slack took no answer: status ${response.status}`);
  };
}
