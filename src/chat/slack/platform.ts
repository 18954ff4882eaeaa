import { App, type Receiver } from "@slack/bolt";
import { Hono } from "hono";
import type { Destination } from "../../domain/alert/destination.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { type HttpServer, listen } from "../../http/server.ts";
import type { ChatPlatform, RateLimit } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import type { PlatformParts } from "../platform-definition.ts";
import { channelKey, workspaceKey } from "./alerts/rate-limits.ts";
import { renderMessage } from "./alerts/render.ts";
import { createSender } from "./alerts/sender.ts";
import { createUploader, uploadFile, uploadPicture } from "./alerts/upload.ts";
import { registerInteractions } from "./commands/interactions.ts";
import { Connection, type TokenIdentity, type Transport } from "./connection/connection.ts";
import { createHttpReceiver } from "./connection/http-receiver.ts";
import { createSocketMode } from "./connection/socket-mode.ts";
import { createManyWorkspaces, type ManyWorkspaces } from "./install/many-workspaces.ts";
import { registerRemovalEvents } from "./install/uninstall.ts";
import type { SlackApp } from "./settings.ts";
import { SingleWorkspace } from "./single-workspace.ts";
import { tokenKindProblem } from "./token-kinds.ts";
import { boltLogger, clientOptions, createWebApi } from "./web-api.ts";
import { PLATFORM } from "./workspace.ts";
import type { Workspaces } from "./workspaces.ts";

export interface SlackPlatformOptions {
  readonly app: SlackApp;
  /** Where it listens if it has a port of its own. */
  readonly host: string;
  /** How the outside reaches splitwatch; null: nobody said. */
  readonly publicUrl: string | null;
  /** Where it is heard of if it has none: 0 is any free one. */
  readonly commonPort: number;
  readonly restrictSubscribe: boolean;
  readonly messagesPerMinute: number;
  readonly commands: PlatformParts["commands"];
  readonly views: PlatformParts["screens"];
  readonly store: Pick<Store, "rules" | "outbox" | "installations" | "people" | "purgePerson">;
  readonly clock: Clock;
  readonly log: Log;
  /** Something that was held back may go out now. */
  wake(): void;
}

export interface SlackPlatform extends ChatPlatform {
  /** What it answers on the common port; null: nothing. */
  readonly routes: Hono | null;
}

/** A message a second and channel, and a small burst, as Slack describes it. */
const CHANNEL_INTERVAL_MS = 1_000;
const CHANNEL_BURST = 2;
/** The credit that Slack gives is left for what a busy moment bunches together. */
const WORKSPACE_BURST = 1;

/** Slack answers within a second: more at once are only where it does not, and other workspaces are not to wait for that. */
const MAX_IN_FLIGHT_PER_WORKSPACE = 20;

/** How long a stop waits for answers under way. */
const STOP_TIMEOUT_MS = 3_000;

/** One workspace of Slack, or many. */
export function createSlackPlatform(options: SlackPlatformOptions): SlackPlatform {
  const { app, host, clock, log, messagesPerMinute } = options;
  const { workspaces, identity, many } = createWorkspaces(options);
  const { receiver, inlet, events } = createInlet(options);
  const connection = new Connection({ identity, transport: inlet, clock, log, problem: tokenKindProblem(app) });
  const conversing = converse(receiver, workspaces, options);
  const routes = joined(events, many?.routes ?? null);
  let server: HttpServer | null = null;

  return {
    name: PLATFORM,
    showsSample: false,
    routes: app.port === null ? routes : null,
    async start() {
      if (routes !== null && app.port !== null) {
        server = await listen({ app: routes, host, port: app.port, portVariable: "SLACK_PORT", log });
      }
      await many?.start();
      await connection.start();
    },
    async stop() {
      await connection.stop();
      const enough = new AbortController();
      const settled = conversing.idle().then(() => many?.stop());
      await Promise.race([settled, clock.sleep(STOP_TIMEOUT_MS, enough.signal)]);
      enough.abort();
      await server?.close();
    },
    health() {
      const { health } = connection;
      const reason = many?.problem() ?? null;
      return health.ok && reason !== null ? { ok: false, reason } : health;
    },
    limits: (to) => limitsOf(to, messagesPerMinute),
    render: renderMessage,
    ...createSender(workspaces, clock),
  };
}

function createWorkspaces(options: SlackPlatformOptions): {
  readonly workspaces: Workspaces;
  readonly identity: TokenIdentity | null;
  readonly many: ManyWorkspaces | null;
} {
  const { app, clock, log } = options;
  if (app.access.kind === "many") {
    const many = createManyWorkspaces(app.access, options);
    return { workspaces: many.workspaces, identity: null, many };
  }
  const api = createWebApi(app.access.botToken, app.apiUrl, log);
  const one = new SingleWorkspace(api, { startedAt: clock.now(), log });
  return { workspaces: one, identity: one, many: null };
}

/** What takes requests; null: nothing does. */
function joined(events: Hono | null, installing: Hono | null): Hono | null {
  if (events === null || installing === null) return events ?? installing;
  return new Hono().route("/", events).route("/", installing);
}

/** Bolt takes what comes in; with which token it is answered is for us to know. */
function converse(
  receiver: Receiver,
  workspaces: Workspaces,
  options: SlackPlatformOptions,
): { idle(): Promise<void> } {
  const { app, commands, views, store, restrictSubscribe, clock, log } = options;
  const bolt = new App({
    receiver,
    authorize: async () => ({}),
    clientOptions: clientOptions(app.apiUrl, log),
    logger: boltLogger(log),
    ignoreSelf: false,
    convoStore: false,
  });
  const send = createUploader(app.apiUrl);
  const conversation = registerInteractions(bolt, {
    workspaces,
    commands,
    views,
    adminsOnly: restrictSubscribe,
    hasRules: async (place) => (await store.rules.at(place)).length > 0,
    postPicture: ({ api }, picture, channelId) => uploadPicture(picture, channelId, { api, send }),
    sendFile: ({ api }, file, userId) => uploadFile(file, userId, { api, send }),
    clock,
    log,
  });
  const following = registerRemovalEvents(bolt, workspaces, log);
  return { idle: async () => void (await Promise.all([conversation.idle(), following.idle()])) };
}

function createInlet({ app, clock, log }: SlackPlatformOptions): {
  readonly receiver: Receiver;
  readonly inlet: Transport;
  /** What takes signed requests; null: nothing does. */
  readonly events: Hono | null;
} {
  if (app.inlet.kind === "socket") {
    const options = clientOptions(app.apiUrl, log);
    const socket = createSocketMode({ appToken: app.inlet.appToken, options, clock, log });
    return { receiver: socket.receiver, inlet: { ...socket, variable: "SLACK_APP_TOKEN" }, events: null };
  }
  const receiver = createHttpReceiver(app.inlet.signingSecret, clock);
  const inlet: Transport = {
    variable: "SLACK_BOT_TOKEN",
    open: async () => void (await receiver.start()),
    closed: () => new Promise(() => undefined),
    close: async () => void (await receiver.stop()),
  };
  return { receiver, inlet, events: receiver.routes };
}

/** A workspace's limit holds for its token, and each channel has its own. */
function limitsOf(to: Destination, messagesPerMinute: number): readonly RateLimit[] {
  return [
    { key: channelKey(to), everyMs: CHANNEL_INTERVAL_MS, burst: CHANNEL_BURST },
    {
      key: workspaceKey(to),
      everyMs: MINUTE_MS / messagesPerMinute,
      burst: WORKSPACE_BURST,
      inFlight: MAX_IN_FLIGHT_PER_WORKSPACE,
    },
  ];
}
