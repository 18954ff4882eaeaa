import { Hono } from "hono";
import type { Answer, Call } from "../../commands/command.ts";
import type { Attempt, MessageRef } from "../../domain/alert/delivery.ts";
import { type ChatPlatform, DeliveryError, type PlatformHealth } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type Postings, StoreError } from "../../ports/store.ts";
import { createAccess } from "./access.ts";
import { createApi } from "./api.ts";
import { type Assets, readAssets, serveAsset } from "./assets.ts";
import { MAX_CARDS, messageBody } from "./body.ts";
import { requireLoopbackHost, securityHeaders } from "./guard.ts";
import { createPostingNotifier } from "./live.ts";
import { messageLink } from "./message.ts";
import type { Overview, Suggestion } from "./page/protocol.ts";
import { problem } from "./problem.ts";

export type { Overview, Suggestion } from "./page/protocol.ts";

export interface WebPlatformOptions {
  readonly store: { readonly postings: Postings };
  readonly clock: Clock;
  readonly log: Log;
  /** What a command line, without `/splits`, is answered with. */
  ask(line: string, call: Call): Promise<Answer>;
  share(line: string, call: Call): Promise<Answer>;
  complete(line: string, call: Call): Promise<readonly Suggestion[]>;
  /** What stands beside the chat. */
  overview(): Promise<Overview>;
  /** Guards the page. Null: it answers under loopback names alone. */
  readonly adminToken: string | null;
  /** How the outside reaches the page, where that is another address than its own. */
  readonly publicUrl: string | null;
  /** Where the page's files are: the built ones, unless a test brings others. */
  readonly assetsDir?: URL;
}

export interface WebPlatform extends ChatPlatform {
  /** Answers `/`, `/assets/*`, `/api/*`, and `/login` and `/logout` where a token guards them. */
  readonly app: Hono;
}

/** The web chat: its messages are postings in the store, its server is `app`. */
export function createWebPlatform(options: WebPlatformOptions): WebPlatform {
  const { clock } = options;
  const { postings } = options.store;
  const bell = createPostingNotifier();
  const stopping = new AbortController();
  let health: PlatformHealth = { ok: false, reason: "the web chat has not started yet" };

  async function post(attempt: Attempt): Promise<MessageRef> {
    const { to, messageId, replyTo, body } = attempt;
    const posting = await postings.post({ to, messageId, replyTo, body, at: clock.now() });
    bell.ring(to);
    return refTo(posting.messageId);
  }

  return {
    name: "web",
    showsSample: true,
    app: createApp(options, { ...options, postings, bell, stopped: stopping.signal }),
    async start() {
      health = { ok: true };
    },
    async stop() {
      health = { ok: false, reason: "the web chat has stopped" };
      stopping.abort();
    },
    health: () => health,
    limits: () => [],
    render: ({ cards, mentions }) => ({
      body: messageBody(cards, mentions),
      carried: Math.min(cards.length, MAX_CARDS),
    }),
    send: (attempt) => asDelivery(post(attempt)),
    find: (attempt) =>
      asDelivery(
        postings.find(attempt.messageId).then((found) => (found === null ? "not-found" : refTo(found.messageId))),
      ),
  };
}

type ApiParts = Parameters<typeof createApi>[0];

/** The guards stand before each of its own paths, and before no other, so that it can be mounted beside other parts. */
function createApp(options: WebPlatformOptions, parts: ApiParts): Hono {
  const app = new Hono();
  const assets = readAssets(options.assetsDir ?? new URL("./page/", import.meta.url));
  const access =
    options.adminToken === null
      ? { guard: requireLoopbackHost, routes: new Hono() }
      : createAccess({ ...options, adminToken: options.adminToken, assets });
  for (const path of ["/", "/assets/*", "/api/*", "/login", "/logout"]) app.use(path, securityHeaders);
  for (const path of ["/", "/assets/*", "/api/*"]) app.use(path, access.guard);
  app.route("/", access.routes);
  app.get("/", (c) => serveAsset(assets.page, c.req.header("if-none-match")));
  app.get("/assets/:name", (c) => sendAsset(assets, c.req.param("name"), c.req.header("if-none-match")));
  app.route("/api", createApi(parts));
  return app;
}

function sendAsset(assets: Assets, name: string, ifNoneMatch: string | undefined): Response {
  const asset = assets.get(name);
  return asset === undefined
    ? problem(404, "no-such-path", "The page has no such file.")
    : serveAsset(asset, ifNoneMatch);
}

function refTo(messageId: string): MessageRef {
  return { id: messageId, link: messageLink(messageId) };
}

/** A store that failed wrote nothing, so another try cannot double the message. */
async function asDelivery<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = error instanceof StoreError ? error.message : "the web chat could not post";
    throw new DeliveryError("retry", reason, { cause: error });
  }
}
