import { fileURLToPath } from "node:url";
import { type Context, Hono } from "hono";
import { etag } from "hono/etag";
import { createListeners } from "../../lib/listeners.ts";
import type { ChatPlatform, PlatformHealth } from "../../ports/chat-platform.ts";
import type { Store } from "../../ports/store.ts";
import type { PageLink } from "../platform-definition.ts";
import { createPostingSender } from "../posting-sender.ts";
import { type Access, createAccess, PAGE_PATHS } from "./access.ts";
import { createApi, type PageAnswers, type WebApiOptions } from "./api.ts";
import { type Assets, readAssets, serveAsset, withLinks } from "./assets.ts";
import { MAX_CARDS, messageBody, messageLink } from "./body.ts";
import { errorResponse, problemOf } from "./error-response.ts";
import { requireLoopbackHost, securityHeaders } from "./guard.ts";
import type { StreamOptions } from "./live.ts";
import { loadPage, readPage } from "./page-files.ts";
import { createQuota, type QuotaLimits } from "./quota.ts";

export type { Overview, Suggestion } from "./page/protocol.ts";

export interface WebPlatformOptions extends PageAnswers, Pick<StreamOptions, "clock" | "log" | "maxStreams"> {
  readonly store: Pick<Store, "postings" | "sessions" | "destinations">;
  /** Token that protects the page; null: the page answers only requests to a loopback name. */
  readonly adminToken: string | null;
  /** External address of splitwatch; null if it isn't configured. */
  readonly publicUrl: string | null;
  /** Links in the page's head. Default: none. */
  readonly pageLinks?: readonly PageLink[];
  /** Default: `DEFAULT_LIMITS`. */
  readonly limits?: QuotaLimits;
  /** Directory of a bundled page; default: the page of this process. */
  readonly assetsDir?: URL;
}

export interface WebPlatform extends ChatPlatform {
  /** Serves `/`, `/operator`, `/assets/*`, `/api/*`, and with a token `/login` and `/logout`. */
  readonly app: Hono;
}

/** The web chat. Its messages are postings in the store. */
export function createWebPlatform(options: WebPlatformOptions): WebPlatform {
  const { clock } = options;
  const { postings } = options.store;
  const stopping = new AbortController();
  let health: PlatformHealth = { ok: false, reason: "the web chat hasn't started yet" };

  return {
    name: "web",
    showsSample: true,
    app: createApp(options, {
      ...options,
      postings,
      signOuts: createListeners(),
      quota: createQuota({ store: options.store, clock, ...(options.limits && { limits: options.limits }) }),
      stopped: stopping.signal,
    }),
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
      cardCount: Math.min(cards.length, MAX_CARDS),
    }),
    ...createPostingSender({ postings, clock, linkOf: messageLink }),
  };
}

/** Applies the guards to the page's paths only, because the app is mounted beside other routes. */
function createApp(options: WebPlatformOptions, parts: Omit<WebApiOptions, "isStillAllowed">): Hono {
  const app = new Hono();
  const assets = loadAssets(options);
  const access = accessTo(options, assets, parts.signOuts.notify);
  app.onError((error) => problemOf(error, options.log));
  const guarded = [...PAGE_PATHS.keys(), "/assets/*", "/api/*"];
  // Commands work before the page is loaded, and without it.
  app.use("/api/*", securityHeaders([]));
  for (const path of [...PAGE_PATHS.keys(), "/assets/*", "/login", "/logout"])
    app.use(path, async (c, next) => securityHeaders((await assets()).styleSources)(c, next));
  for (const path of guarded) app.use(path, access.guard);
  for (const path of [...PAGE_PATHS.keys(), "/assets/*"]) app.use(path, etag());
  app.route("/", access.routes);
  for (const [path, page] of PAGE_PATHS)
    app.get(path, async (c) => {
      if (path !== page) return c.redirect(page, 308);
      const { page: start, operatorPage } = await assets();
      return serveAsset(page === "/" ? start : operatorPage, c);
    });
  app.get("/assets/:name", async (c) => sendAsset(await assets(), c.req.param("name"), c));
  app.route("/api", createApi({ ...parts, isStillAllowed: access.isStillAllowed }));
  return app;
}

/** Starts to load the page. What is wrong with it is logged once, and answers its requests. */
function loadAssets({ assetsDir, pageLinks = [], log }: WebPlatformOptions): () => Promise<Assets> {
  const assets = (assetsDir === undefined ? loadPage() : readPage(fileURLToPath(assetsDir))).then((files) => {
    const read = readAssets(files);
    return { ...read, page: withLinks(read.page, pageLinks) };
  });
  assets.catch((error: unknown) => log.error("page not loaded", { error }));
  return () => assets;
}

function accessTo(options: WebPlatformOptions, assets: () => Promise<Assets>, signedOut: () => void): Access {
  const { adminToken, store } = options;
  if (adminToken === null)
    return { guard: requireLoopbackHost, routes: new Hono(), isStillAllowed: () => Promise.resolve(true) };
  return createAccess({ ...options, adminToken, assets, sessions: store.sessions, signedOut });
}

function sendAsset(assets: Assets, name: string, c: Context): Response {
  const asset = assets.get(name);
  return asset === undefined ? errorResponse(404, "no-such-path", "The page has no such file.") : serveAsset(asset, c);
}
