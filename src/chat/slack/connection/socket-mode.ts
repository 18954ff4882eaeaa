import type { Socket } from "node:net";
import { SocketModeReceiver } from "@slack/bolt";
import { createWebSocketAgent } from "../../../http/proxy-connections.ts";
import { settleWithin } from "../../../lib/clock.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import { CallError, type clientOptions, toCallFailure } from "../web-api.ts";
import type { Transport } from "./connection.ts";

/** Slack sends its hello message immediately after connecting. */
const HELLO_TIMEOUT_MS = 15_000;

/**
 * Socket Mode through Bolt's receiver. Its automatic reconnect is disabled, because it ends in an unhandled rejection after an
 * outage of the Web API.
 */
export function createSocketMode(parts: {
  readonly appToken: string;
  readonly options: ReturnType<typeof clientOptions>;
  readonly clock: Clock;
  readonly log: Log;
}): { readonly receiver: SocketModeReceiver; readonly transport: Transport } {
  const { appToken, options, clock, log } = parts;
  let socket: Socket | null = null;
  const receiver = new SocketModeReceiver({
    appToken,
    autoReconnectEnabled: false,
    dispatcher: createWebSocketAgent((opened) => {
      socket = opened;
    }),
    ...(options.logger ? { logger: options.logger } : {}),
    installerOptions: { clientOptions: { ...options } },
    customPropertiesExtractor: ({ envelope_id: envelopeId }) => ({ envelopeId }),
    processEventErrorHandler: async ({ error }) => {
      log.error("slack event failed", { error });
      return false;
    },
  });
  const { client } = receiver;
  client.on("disconnected", () => socket?.destroy());
  let disconnected: Promise<void> = Promise.resolve();

  async function open(): Promise<void> {
    const started = receiver.start().then(() => "hello" as const);
    try {
      if ((await settleWithin(started, HELLO_TIMEOUT_MS, clock)) === null) {
        await client.disconnect();
        throw new Error("no hello message");
      }
      disconnected = new Promise((resolve) => client.once("disconnected", () => resolve()));
    } catch (error) {
      throw new CallError("apps.connections.open", toCallFailure(error), error);
    } finally {
      started.catch(() => undefined);
    }
  }

  const transport = {
    tokenVariable: "SLACK_APP_TOKEN",
    open,
    closed: () => disconnected,
    close: () => client.disconnect(),
  };
  return { receiver, transport };
}
