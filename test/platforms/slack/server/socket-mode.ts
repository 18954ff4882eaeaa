import type { Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { setProcessTimeout, startStopwatch } from "../../../support/process-time.ts";
import type { Json } from "./workspace.ts";

/** Slack repeats an envelope that is not acknowledged within this time, here of the process's own time. */
const ACK_TIMEOUT_MS = 3_000;

const PING_INTERVAL_MS = 5_000;

export interface Acknowledgement {
  /** Milliseconds of the process's own time from sending to the acknowledgement. */
  readonly ms: number;
  readonly payload: Json;
}

export interface SocketMode {
  readonly connections: number;
  /** Resolves when an app is connected. */
  connected(): Promise<void>;
  /** Sends an envelope up to three times until it is acknowledged. Returns null if it never is. */
  deliver(envelope: Envelope): Promise<Acknowledgement | null>;
  /** Sends the same envelope again and waits for its acknowledgement. */
  repeat(envelope: Envelope): Promise<Acknowledgement | null>;
  /** Asks the app to reconnect, as Slack does regularly. `link_disabled`: Socket Mode was turned off. */
  requestDisconnect(reason: "warning" | "refresh_requested" | "link_disabled"): void;
  /** Terminates all connections without a close frame. */
  drop(): void;
  stop(): void;
}

export interface Envelope {
  readonly envelopeId: string;
  readonly type: "slash_commands" | "interactive" | "events_api";
  readonly payload: Json;
}

export function createSocketMode(server: Server, appId: string, tickets: Set<string>): SocketMode {
  const sockets = new Set<WebSocket>();
  const waiting = new Map<string, (payload: Json) => void>();
  const onConnected = new Set<() => void>();
  const webSockets = new WebSocketServer({ noServer: true });
  let sentCount = 0;

  server.on("upgrade", (request, socket, head) => {
    const ticket = new URL(request.url ?? "/", "http://slack").searchParams.get("ticket") ?? "";
    if (!tickets.delete(ticket)) {
      socket.destroy();
      return;
    }
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      sockets.add(webSocket);
      webSocket.on("close", () => sockets.delete(webSocket));
      webSocket.on("error", () => webSocket.terminate());
      webSocket.on("message", (data) => handleAcknowledgement((data as Buffer).toString()));
      webSocket.send(JSON.stringify(hello(appId, sockets.size)));
      for (const resolve of onConnected) resolve();
      onConnected.clear();
    });
  });
  const pinging = setInterval(() => {
    for (const webSocket of sockets) webSocket.ping();
  }, PING_INTERVAL_MS);
  pinging.unref();

  function handleAcknowledgement(text: string): void {
    const { envelope_id: envelopeId, payload } = JSON.parse(text) as { envelope_id: string; payload?: Json };
    waiting.get(envelopeId)?.(payload ?? {});
  }

  /** Sends to the connections in rotation; waits for a connection if there is none. */
  async function send(envelope: Envelope, attempt: number): Promise<Acknowledgement | null> {
    if (sockets.size === 0) await mode.connected();
    sentCount += 1;
    const webSocket = [...sockets][sentCount % sockets.size];
    const elapsedMs = startStopwatch();
    return new Promise((resolve) => {
      const end = (acknowledgement: Acknowledgement | null): void => {
        cancelTimeout();
        webSocket?.off("close", broken);
        waiting.delete(envelope.envelopeId);
        resolve(acknowledgement);
      };
      const broken = (): void => end(null);
      const cancelTimeout = setProcessTimeout(() => end(null), ACK_TIMEOUT_MS);
      webSocket?.on("close", broken);
      waiting.set(envelope.envelopeId, (payload) => end({ ms: elapsedMs(), payload }));
      webSocket?.send(
        JSON.stringify({
          envelope_id: envelope.envelopeId,
          type: envelope.type,
          accepts_response_payload: envelope.type !== "events_api",
          payload: envelope.payload,
          ...(attempt === 0 ? {} : { retry_attempt: attempt, retry_reason: "timeout" }),
        }),
      );
    });
  }

  const mode: SocketMode = {
    get connections() {
      return sockets.size;
    },
    connected: () => (sockets.size > 0 ? Promise.resolve() : new Promise((resolve) => void onConnected.add(resolve))),
    async deliver(envelope) {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const acknowledgement = await send(envelope, attempt);
        if (acknowledgement) return acknowledgement;
      }
      return null;
    },
    repeat: (envelope) => send(envelope, 1),
    requestDisconnect(reason) {
      for (const webSocket of sockets) webSocket.send(JSON.stringify({ type: "disconnect", reason, debug_info: {} }));
    },
    drop() {
      for (const webSocket of sockets) webSocket.terminate();
    },
    stop() {
      clearInterval(pinging);
      mode.drop();
      webSockets.close();
    },
  };
  return mode;
}

function hello(appId: string, connections: number): Json {
  return {
    type: "hello",
    num_connections: connections,
    connection_info: { app_id: appId },
    debug_info: { host: "applink-test", approximate_connection_time: 18_060 },
  };
}
