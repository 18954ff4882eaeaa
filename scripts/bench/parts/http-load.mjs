import { once } from "node:events";
import { Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";

const CONNECTIONS = 32;

/** Client that keeps 32 connections busy with one request each. */
export function createLoad(address) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  return {
    /** Sends a request `count` times. Rejects if an answer has another status than `status`. */
    async repeat({ path, headers, status }, count) {
      let started = 0;
      const worker = async () => {
        while (started < count) {
          started += 1;
          const { status: received } = await get(address + path, headers, agent);
          if (received !== status) throw new Error(`${path}: got status ${received}, expected ${status}`);
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, worker));
    },
    close: () => agent.destroy(),
  };
}

/** Sends a GET request and returns the answer as received: its body is not decompressed. */
export async function get(url, headers, agent) {
  const sent = request(url, { headers, agent }).end();
  const [answer] = await once(sent, "response");
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}
