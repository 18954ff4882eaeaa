import { SocketModeReceiver } from "@slack/bolt";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import { CallError, type clientOptions, toCallFailure } from "../web-api.ts";

export interface SocketMode {
  readonly receiver: SocketModeReceiver;
  /** Resolves when Slack has said hello; fails with a CallError. */
  open(): Promise<void>;
  /** Resolves when the connection that is open has ended. */
  closed(): Promise<void>;
  close(): Promise<void>;
}

/** Slack says hello at once; a connection on which it does not is of no use. */
const HELLO_TIMEOUT_MS = 15_000;

/**
 * Socket Mode over Bolt's own receiver. Connecting again is ours: what the client does by itself ends, after an outage of
 * the Web API, in a rejection that nobody can catch.
 */
export function createSocketMode(parts: {
  readonly appToken: string;
  readonly options: ReturnType<typeof clientOptions>;
  readonly clock: Clock;
  readonly log: Log;
}): SocketMode {
  const { appToken, options, clock, log } = parts;
  const receiver = new SocketModeReceiver({
    appToken,
    autoReconnectEnabled: false,
    ...(options.logger ? { logger: options.logger } : {}),
    installerOptions: { clientOptions: { ...options } },
    customPropertiesExtractor: ({ envelope_id: envelopeId }) => ({ envelopeId }),
    processEventErrorHandler: async ({ error }) => {
      log.error("slack event failed", { error });
      return false;
    },
  });
  const { client } = receiver;
  let ended: Promise<void> = Promise.resolve();

  return {
    receiver,
    async open() {
      const enough = new AbortController();
      const started = receiver.start().then(() => "hello" as const);
      const late = clock.sleep(HELLO_TIMEOUT_MS, enough.signal).then(() => "late" as const);
      try {
        if ((await Promise.race([started, late])) === "late") {
          await client.disconnect();
          throw new Error("no hello");
        }
        ended = new Promise((resolve) => client.once("disconnected", () => resolve()));
      } catch (error) {
        throw new CallError("apps.connections.open", toCallFailure(error), error);
      } finally {
        enough.abort();
        started.catch(() => undefined);
      }
    },
    closed: () => ended,
    close: () => client.disconnect(),
  };
}
