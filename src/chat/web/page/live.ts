import { backoffMs } from "../../../lib/backoff.ts";
import { streamAddress } from "./api.ts";
import type { Identity } from "./identity.ts";
import { HEARTBEAT_MS, type Message } from "./protocol.ts";

export type ConnectionState = "connecting" | "live" | "lost";

export interface LiveHandlers {
  message(message: Message): void;
  connectionChanged(state: ConnectionState): void;
  /** Called when the server has fewer messages than the page: its data was reset, so the page must reload them. */
  serverReset(): void;
}

const RETRY = { firstMs: 1_000, maxMs: 15_000 };
/** Time without events after which a stream is treated as lost, even if the browser reports it as open. */
const SILENCE_TIMEOUT_MS = 2.5 * HEARTBEAT_MS;

/** Follows the messages after number `after`; reconnects until stopped. */
export function followLive(identity: Identity, after: number, handlers: LiveHandlers): { stop(): void } {
  let lastNumber = after;
  let failures = 0;
  let retryTimer = 0;
  let stream = { close: (): void => undefined };

  function connect(): void {
    close();
    stream = openStream(streamAddress(identity, lastNumber), { ready, received, lost });
  }

  function ready(newest: number): void {
    failures = 0;
    handlers.connectionChanged("live");
    if (newest < lastNumber) handlers.serverReset();
  }

  function received(message: Message): void {
    if (message.number <= lastNumber) return;
    lastNumber = message.number;
    handlers.message(message);
  }

  function lost(): void {
    close();
    handlers.connectionChanged("lost");
    failures += 1;
    retryTimer = setTimeout(connect, backoffMs(failures, RETRY));
  }

  function close(): void {
    stream.close();
    clearTimeout(retryTimer);
  }

  addEventListener("online", connect);
  addEventListener("offline", lost);
  handlers.connectionChanged("connecting");
  connect();
  return {
    stop() {
      removeEventListener("online", connect);
      removeEventListener("offline", lost);
      close();
    },
  };
}

interface StreamHandlers {
  /** The stream is open; `newest` is the number of the server's last message. */
  ready(newest: number): void;
  received(message: Message): void;
  /** The stream failed, or was silent for SILENCE_TIMEOUT_MS. */
  lost(): void;
}

function openStream(address: string, handlers: StreamHandlers): { close(): void } {
  const source = new EventSource(address);
  let silenceTimer = 0;

  function restartSilenceTimer(): void {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => handlers.lost(), SILENCE_TIMEOUT_MS);
  }

  source.addEventListener("ready", (event) => {
    restartSilenceTimer();
    handlers.ready((JSON.parse(event.data) as { readonly last: number }).last);
  });
  source.addEventListener("message", (event: MessageEvent<string>) => {
    restartSilenceTimer();
    handlers.received(JSON.parse(event.data) as Message);
  });
  source.addEventListener("heartbeat", restartSilenceTimer);
  source.addEventListener("error", () => handlers.lost());
  restartSilenceTimer();
  return {
    close() {
      source.close();
      clearTimeout(silenceTimer);
    },
  };
}
