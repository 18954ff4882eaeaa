import type { IncomingMessage, Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { isJson, type Json } from "./model.ts";

const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  acknowledged: 11,
} as const;

const GUILDS_INTENT = 1;

/** Data with which a client identified. */
export interface Identification {
  readonly intents: number;
  readonly properties: Json;
  readonly shard: unknown;
}

type Shard = readonly [index: number, count: number];

interface Session {
  readonly id: string;
  readonly intents: number;
  readonly shard: Shard;
  seq: number;
  /** Dispatched events, for replay when the client resumes. */
  readonly dispatched: { readonly seq: number; readonly text: string }[];
  socket: WebSocket | null;
}

export interface GatewayParts {
  readonly server: Server;
  readonly token: string;
  readonly url: () => string;
  readonly heartbeatMs: number;
  /** First events of a new session: data of READY, and the guilds. */
  readonly welcome: () => { readonly ready: Json; readonly guilds: readonly Json[] };
}

/** Discord's gateway over a WebSocket: JSON, no compression. */
export class Gateway {
  readonly identifications: Identification[] = [];
  /** Number of resumed sessions. */
  resumes = 0;
  /** True: heartbeats are not acknowledged, as on a dead connection. */
  silent = false;
  /** True: new connections are rejected. */
  refusing = false;
  readonly #parts: GatewayParts;
  readonly #sockets: WebSocketServer;
  readonly #sessions = new Map<string, Session>();
  #made = 0;
  #isForgetful = false;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
    this.#sockets = new WebSocketServer({ server: parts.server, verifyClient: () => !this.refusing });
    this.#sockets.on("connection", (socket: WebSocket, _request: IncomingMessage) => this.#greet(socket));
    // The HTTP server reports its own errors.
    this.#sockets.on("error", () => undefined);
  }

  /** Number of connected and identified clients. */
  get connected(): number {
    return [...this.#sessions.values()].filter(({ socket }) => socket !== null).length;
  }

  /** Sends an event to the sessions of its shard; disconnected ones receive it when they resume. */
  dispatch(event: string, data: Json, intent = 0): void {
    const guildId = data.guild_id ?? (event.startsWith("GUILD_") ? data.id : undefined);
    for (const session of this.#sessions.values()) {
      if ((session.intents & intent) === intent && isOnShard(guildId, session.shard)) dispatchTo(session, event, data);
    }
  }

  /** Terminates the connections, like a network failure. */
  drop(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  /** Closes the connections with one of Discord's codes. */
  close(code: number): void {
    for (const socket of this.#sockets.clients) socket.close(code);
  }

  /** Asks clients to reconnect, as Discord does several times a day. */
  askToReconnect(): void {
    for (const { socket } of this.#sessions.values()) if (socket) send(socket, { op: OP.reconnect, d: null });
  }

  /** Invalidates all sessions: clients must identify again. */
  invalidate(): void {
    for (const { id, socket } of this.#sessions.values()) {
      this.#sessions.delete(id);
      if (socket) send(socket, { op: OP.invalidSession, d: false });
    }
  }

  /** Forgets sessions whose connection is closed, as Discord does after some minutes. */
  forgetDisconnected(): void {
    this.#isForgetful = true;
  }

  stop(): void {
    this.drop();
    this.#sockets.close();
  }

  #greet(socket: WebSocket): void {
    send(socket, { op: OP.hello, d: { heartbeat_interval: this.#parts.heartbeatMs } });
    socket.on("message", (bytes: Buffer) => this.#receive(socket, JSON.parse(bytes.toString("utf8"))));
    socket.on("close", () => {
      for (const session of this.#sessions.values()) if (session.socket === socket) session.socket = null;
    });
    socket.on("error", () => undefined);
  }

  #receive(socket: WebSocket, payload: unknown): void {
    const { op, d } = isJson(payload) ? payload : {};
    const data = isJson(d) ? d : {};
    if (op === OP.heartbeat && !this.silent) send(socket, { op: OP.acknowledged });
    if (op !== OP.identify && op !== OP.resume) return;
    if (data.token !== this.#parts.token) socket.close(4_004);
    else if (op === OP.identify) this.#identify(socket, data);
    else this.#resume(socket, data);
  }

  #identify(socket: WebSocket, { intents, properties, shard }: Json): void {
    this.identifications.push({ intents: Number(intents), properties: isJson(properties) ? properties : {}, shard });
    this.#made += 1;
    const id = `session-${this.#made}`;
    const own: Shard = Array.isArray(shard) ? [Number(shard[0]), Number(shard[1])] : [0, 1];
    const session: Session = { id, intents: Number(intents), shard: own, seq: 0, dispatched: [], socket };
    this.#sessions.set(session.id, session);
    const { ready, guilds: all } = this.#parts.welcome();
    const guilds = all.filter((guild) => isOnShard(guild.id, own));
    const unavailable = guilds.map((guild) => ({ id: guild.id, unavailable: true }));
    const hello = { v: 10, session_id: session.id, resume_gateway_url: this.#parts.url(), shard: own };
    dispatchTo(session, "READY", { ...ready, ...hello, guilds: unavailable });
    if ((session.intents & GUILDS_INTENT) === 0) return;
    for (const guild of guilds) dispatchTo(session, "GUILD_CREATE", guild);
  }

  #resume(socket: WebSocket, { session_id: id, seq }: Json): void {
    const session = this.#sessions.get(String(id));
    if (!session || this.#isForgetful) {
      send(socket, { op: OP.invalidSession, d: false });
      return;
    }
    session.socket = socket;
    this.resumes += 1;
    for (const missed of session.dispatched) if (missed.seq > Number(seq)) socket.send(missed.text);
    dispatchTo(session, "RESUMED", {});
  }
}

/** Events without a guild belong to the first shard. */
function isOnShard(guildId: unknown, [index, count]: Shard): boolean {
  return typeof guildId === "string" ? (BigInt(guildId) >> 22n) % BigInt(count) === BigInt(index) : index === 0;
}

function dispatchTo(session: Session, event: string, data: Json): void {
  session.seq += 1;
  const text = JSON.stringify({ op: OP.dispatch, t: event, s: session.seq, d: data });
  session.dispatched.push({ seq: session.seq, text });
  session.socket?.send(text);
}

function send(socket: WebSocket, payload: Json): void {
  socket.send(JSON.stringify(payload));
}
