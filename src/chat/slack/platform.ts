import { App, type Receiver } from "@slack/bolt";
import type { Hono } from "hono";
import type { SlackApp } from "../../config/endpoints.ts";
import { MINUTE_MS } from "../../core/day.ts";
import type { Destination } from "../../core/destination.ts";
import type { ChatPlatform, RateLimit } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Rules } from "../../ports/store.ts";
import { type HttpServer, listen } from "../../system/http-server.ts";
import type { PlatformParts } from "../parts.ts";
import { Connection, type Inlet } from "./connection.ts";
import { type Conversation, startConversation } from "./conversation.ts";
import { createHttpReceiver } from "./http-receiver.ts";
import { OneWorkspace } from "./one-workspace.ts";
import { createOutlet } from "./outlet.ts";
import { channelKey, workspaceKey } from "./rate-watch.ts";
import { renderMessage } from "./render.ts";
import { createSocketMode } from "./socket-mode.ts";
import { tokenProblem } from "./tokens.ts";
import { createUploadSending, uploadFile, uploadPicture } from "./upload.ts";
import { boltLogger, clientOptions, createWebApi } from "./web-api.ts";
import type { Workspaces } from "./workspaces.ts";

export interface SlackPlatformOptions {
  readonly app: SlackApp;
  /** Where it listens if it has a port of its own. */
  readonly host: string;
  readonly restrictSubscribe: boolean;
  readonly messagesPerMinute: number;
  readonly commands: PlatformParts["commands"];
  readonly store: { readonly rules: Pick<Rules, "at"> };
  readonly clock: Clock;
  readonly log: Log;
}

export interface SlackPlatform extends ChatPlatform {
  /** What it answers on the common port; null: nothing. */
  readonly routes: Hono | null;
}

/** A message a second and channel, and a small burst, as Slack describes it. */
const CHANNEL_EVERY_MS = 1_000;
const CHANNEL_BURST = 2;
/** The credit that Slack gives is left for what a busy moment bunches together. */
const WORKSPACE_BURST = 1;

/** How long a stop waits for answers under way. */
const LAST_ANSWERS_MS = 3_000;

/** One workspace of Slack. */
export function createSlackPlatform(options: SlackPlatformOptions): SlackPlatform {
  const { app, host, clock, log, messagesPerMinute } = options;
  const workspace = new OneWorkspace(createWebApi(app.botToken ?? "", app.apiUrl, log));
  const { receiver, inlet, routes } = createInlet(options);
  const connection = new Connection({ identity: workspace, inlet, clock, log, problem: tokenProblem(app) });
  const conversation = converse(receiver, workspace, options);
  let server: HttpServer | null = null;

  return {
    name: "slack",
    showsSample: false,
    routes: app.port === null ? routes : null,
    async start() {
      if (routes !== null && app.port !== null) {
        server = await listen({ app: routes, host, port: app.port, portVariable: "SLACK_PORT", log });
      }
      await connection.start();
    },
    async stop() {
      await connection.stop();
      const enough = new AbortController();
      await Promise.race([conversation.idle(), clock.sleep(LAST_ANSWERS_MS, enough.signal)]);
      enough.abort();
      await server?.close();
    },
    health: () => connection.health,
    limits: (to) => limitsOf(to, messagesPerMinute),
    render: renderMessage,
    ...createOutlet(workspace, clock),
  };
}

/** Bolt takes what comes in; with which token it is answered is for us to know. */
function converse(receiver: Receiver, workspaces: Workspaces, options: SlackPlatformOptions): Conversation {
  const { app, commands, store, restrictSubscribe, clock, log } = options;
  const bolt = new App({
    receiver,
    authorize: async () => ({}),
    clientOptions: clientOptions(app.apiUrl, log),
    logger: boltLogger(log),
    ignoreSelf: false,
    convoStore: false,
  });
  const send = createUploadSending(app.apiUrl);
  return startConversation(bolt, {
    workspaces,
    commands,
    adminsOnly: restrictSubscribe,
    hasRules: async (place) => (await store.rules.at(place)).length > 0,
    postPicture: ({ api }, picture, channelId) => uploadPicture(picture, channelId, { api, send }),
    sendFile: ({ api }, file, userId) => uploadFile(file, userId, { api, send }),
    clock,
    log,
  });
}

/** Socket Mode where there is an app token, else signed requests. */
function createInlet({ app, clock, log }: SlackPlatformOptions): {
  readonly receiver: Receiver;
  readonly inlet: Inlet;
  /** What takes requests; null: nothing does. */
  readonly routes: Hono | null;
} {
  if (app.appToken !== null) {
    const options = clientOptions(app.apiUrl, log);
    const socket = createSocketMode({ appToken: app.appToken, options, clock, log });
    return { receiver: socket.receiver, inlet: { ...socket, variable: "SLACK_APP_TOKEN" }, routes: null };
  }
  const receiver = createHttpReceiver(app.signingSecret ?? "", clock);
  const inlet: Inlet = {
    variable: "SLACK_BOT_TOKEN",
    open: async () => void (await receiver.start()),
    closed: () => new Promise(() => undefined),
    close: async () => void (await receiver.stop()),
  };
  return { receiver, inlet, routes: receiver.routes };
}

/** A workspace's limit holds for its token, and each channel has its own. */
function limitsOf(to: Destination, messagesPerMinute: number): readonly RateLimit[] {
  return [
    { key: channelKey(to), everyMs: CHANNEL_EVERY_MS, burst: CHANNEL_BURST },
    { key: workspaceKey(to), everyMs: MINUTE_MS / messagesPerMinute, burst: WORKSPACE_BURST },
  ];
}
