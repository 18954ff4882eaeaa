import { App, type Receiver } from "@slack/bolt";
import { Hono } from "hono";
import { internalProblem } from "../../http/problem.ts";
import { type HttpServer, listen } from "../../http/server.ts";
import { settleWithin } from "../../lib/clock.ts";
import { untilSaved } from "../../lib/until-saved.ts";
import type { EditingPlatform } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import type { PlatformParts } from "../platform-definition.ts";
import { editLimits, rateLimits } from "./alerts/rate-limits.ts";
import { renderMessage } from "./alerts/render.ts";
import { createSender } from "./alerts/sender.ts";
import { createUploader, uploadFiles, uploadPicture } from "./commands/attachments.ts";
import { registerInteractions } from "./commands/interactions.ts";
import { Connection, type TokenIdentity, type Transport } from "./connection/connection.ts";
import { createHttpReceiver } from "./connection/http-receiver.ts";
import { createSocketMode } from "./connection/socket-mode.ts";
import { createManyWorkspaces, type ManyWorkspaces } from "./install/many-workspaces.ts";
import { type SlackApp, tokenKindProblem } from "./settings.ts";
import { SingleWorkspace } from "./single-workspace.ts";
import { boltLogger, clientOptions, createWebApi } from "./web-api.ts";
import { PLATFORM, type Workspaces } from "./workspace.ts";

export interface SlackPlatformOptions {
  readonly app: SlackApp;
  /** Host to listen on if the app has a separate port. */
  readonly host: string;
  /** External address of splitwatch; null if it isn't configured. */
  readonly publicUrl: string | null;
  /** Port of splitwatch's HTTP server, used if the app has no separate port; 0 for any free port. */
  readonly serverPort: number;
  readonly restrictSubscribe: boolean;
  readonly messagesPerMinute: number;
  readonly commands: PlatformParts["commands"];
  readonly screens: PlatformParts["screens"];
  readonly store: Pick<
    Store,
    | "rules"
    | "pauses"
    | "installations"
    | "usedTokens"
    | "jobs"
    | "destinations"
    | "purgePerson"
    | "seenRequests"
    | "mayStillSend"
  >;
  readonly clock: Clock;
  readonly log: Log;
  /** False if this process only sends messages. */
  readonly receives: boolean;
  /** Starts deliveries that were on hold. */
  readonly wake: () => void;
}

export interface SlackPlatform extends EditingPlatform {
  /** Routes to mount on the common port; null if there are none. */
  readonly routes: Hono | null;
}

/** How long a stop waits for commands in progress. */
const STOP_TIMEOUT_MS = 3_000;

/** Receives nothing, and so needs no connection. */
const SENDING_ONLY: { readonly receiver: Receiver; readonly transport: Transport } = {
  receiver: { init: () => undefined, start: async () => undefined, stop: async () => undefined },
  transport: {
    tokenVariable: "SLACK_BOT_TOKEN",
    open: async () => undefined,
    closed: () => new Promise(() => undefined),
    close: async () => undefined,
  },
};

/** Slack with one workspace (bot token) or many (OAuth). */
export function createSlackPlatform(options: SlackPlatformOptions): SlackPlatform {
  const { app, host, clock, log, messagesPerMinute } = options;
  const { workspaces, identity, many } = createWorkspaces(options);
  const { receiver, transport, routes: eventRoutes } = createTransport(options);
  const connection = new Connection({ identity, transport, clock, log, problem: tokenKindProblem(app) });
  const stopping = new AbortController();
  const interactions = createInteractions({ receiver, workspaces, stopping: stopping.signal }, options);
  const routes = options.receives ? combineRoutes(eventRoutes, many?.routes ?? null) : null;
  let server: HttpServer | null = null;

  return {
    name: PLATFORM,
    showsSample: false,
    routes: app.port === null ? routes : null,
    async start() {
      if (routes !== null && app.port !== null) {
        routes.onError((error) => internalProblem(error, log));
        server = await listen({ app: routes, host, port: app.port, portVariable: "SLACK_PORT", log });
      }
      await many?.start();
      await connection.start();
    },
    async stop() {
      await connection.stop();
      stopping.abort();
      const settled = interactions.idle().then(() => many?.stop());
      await settleWithin(settled, STOP_TIMEOUT_MS, clock);
      await server?.close();
    },
    health() {
      const { health } = connection;
      const reason = many?.problem() ?? null;
      return health.ok && reason !== null ? { ok: false, reason } : health;
    },
    limits: (destination) => rateLimits(destination, messagesPerMinute),
    editLimits,
    render: renderMessage,
    ...createSender(workspaces, clock),
  };
}

function createWorkspaces(options: SlackPlatformOptions): {
  readonly workspaces: Workspaces;
  readonly identity: TokenIdentity | null;
  readonly many: ManyWorkspaces | null;
} {
  const { app, store, clock, log, wake } = options;
  if (app.access.kind === "many") {
    const many = createManyWorkspaces(app.access, options);
    return { workspaces: many.workspaces, identity: null, many };
  }
  const api = createWebApi(app.access.botToken, { apiUrl: app.apiUrl, log, mayPost: () => store.mayStillSend() });
  const single = new SingleWorkspace(api, { clock, log, wake });
  return { workspaces: single, identity: single, many: null };
}

function combineRoutes(events: Hono | null, install: Hono | null): Hono | null {
  if (events === null || install === null) return events ?? install;
  return new Hono().route("/", events).route("/", install);
}

interface InteractionSetup {
  readonly receiver: Receiver;
  readonly workspaces: Workspaces;
  readonly stopping: AbortSignal;
}

/** Handles incoming requests with a Bolt app that has no token: with a token, its constructor would call Slack. */
function createInteractions(
  { receiver, workspaces, stopping }: InteractionSetup,
  { app, commands, screens, store, restrictSubscribe, clock, log, wake }: SlackPlatformOptions,
): ReturnType<typeof registerInteractions> {
  const bolt = new App({
    receiver,
    authorize: async () => ({}),
    clientOptions: clientOptions(app.apiUrl, log),
    logger: boltLogger(log),
    ignoreSelf: false,
    convoStore: false,
  });
  const sendBytes = createUploader(app.apiUrl);
  return registerInteractions(bolt, {
    workspaces,
    commands,
    screens,
    adminsOnly: restrictSubscribe,
    hasRules: async (destination) => (await store.rules.at(destination)).length > 0,
    postPicture: ({ api }, picture, channelId) => uploadPicture(picture, channelId, { api, sendBytes }),
    sendFiles: ({ api }, files, userId) => uploadFiles(files, userId, { api, sendBytes }),
    seenRequests: store.seenRequests,
    untilSaved: (work) => untilSaved(work, { clock, log, signal: stopping, delayed: "slack event delayed" }),
    resume: async (destination) => {
      await store.pauses.resume(destination);
      wake();
    },
    clock,
    log,
  });
}

function createTransport({ app, clock, log, receives }: SlackPlatformOptions): {
  readonly receiver: Receiver;
  readonly transport: Transport;
  readonly routes: Hono | null;
} {
  if (!receives) return { ...SENDING_ONLY, routes: null };
  if (app.transport.kind === "http") return createHttpReceiver({ ...app.transport, clock, log });
  const options = clientOptions(app.apiUrl, log);
  return { ...createSocketMode({ appToken: app.transport.appToken, options, clock, log }), routes: null };
}
