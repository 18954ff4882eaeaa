import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { AlertPayload } from "../../../src/chat/alert-payload.ts";
import { KEEP_IDLE_CONNECTIONS } from "../../support/idle-connections.ts";
import { type Answer, deliver } from "../../support/upstream-faults.ts";

/** A message as it arrived. */
export interface ReceivedMessage {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly id: string;
  readonly alerts: readonly AlertPayload[];
}

/** A program that receives webhooks on a real socket of 127.0.0.1. It recognizes resends by their ids. */
export interface WebhookReceiver {
  readonly url: string;
  /** Key that verifies signatures. */
  readonly secret: string;
  /** Every request with a message, oldest first. */
  readonly received: ReceivedMessage[];
  /** The messages that the receiver accepted, each once. */
  readonly processed: ReceivedMessage[];
  /** Answer to a message. Default: 204. */
  answerTo: (message: ReceivedMessage) => Answer;
  /** Whether the receiver processes a message before it answers. Default: with 2xx only. */
  accepts: (message: ReceivedMessage, answer: Answer) => boolean;
  stop(): Promise<void>;
}

const ACCEPTED: Answer = { status: 204, headers: {}, body: "" };

export async function startReceiver(): Promise<WebhookReceiver> {
  const server = createServer(KEEP_IDLE_CONNECTIONS, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method !== "POST") {
        response.writeHead(405).end();
        return;
      }
      const text = Buffer.concat(chunks).toString("utf8");
      const { data } = JSON.parse(text) as { readonly data: { readonly alerts: readonly AlertPayload[] } };
      const { headers, url: path = "", method } = request;
      const message = { method, path, headers, text, id: String(headers["webhook-id"]), alerts: data.alerts };
      receiver.received.push(message);
      const answer = receiver.answerTo(message);
      const isNew = receiver.processed.every(({ id }) => id !== message.id);
      if (isNew && receiver.accepts(message, answer)) receiver.processed.push(message);
      deliver(answer, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`,
    secret: `whsec_${randomBytes(32).toString("base64")}`,
    received: [],
    processed: [],
    answerTo: () => ACCEPTED,
    accepts: (_, { status }) => status >= 200 && status < 300,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
  return receiver;
}

/** The signature that the Standard Webhooks specification requires, computed from the bytes and headers as they arrived. */
export function expectedSignature({ headers, text }: ReceivedMessage, secret: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const hmac = createHmac("sha256", key);
  hmac.update(`${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.`);
  return `v1,${hmac.update(text).digest("base64")}`;
}

/** The alerts that are no tests, of the given messages. */
export function alertsIn(messages: readonly ReceivedMessage[]): readonly AlertPayload[] {
  return messages.flatMap(({ alerts }) => alerts).filter(({ test }) => !test);
}
