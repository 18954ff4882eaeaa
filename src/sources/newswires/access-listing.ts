import { z } from "zod";
import type { Instant } from "../../domain/time/day.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { instantAt, wallClockAt } from "../../domain/time/wall-clock.ts";
import { parseFeedDate } from "./feed-date.ts";
import { type FeedEntry, feedItem } from "./feed-entry.ts";
import { type FeedItem, WireError } from "./newswire.ts";
import type { Web, WebAnswer, WebRequest } from "./web.ts";

/** The newsroom's own listing of ACCESS Newswire, newest first, asked as its page asks it. */
export interface AccessListing {
  read(url: string, request: Pick<WebRequest, "paceMs" | "signal">): Promise<FeedItem[]>;
}

/** True for an address that is the listing, not a feed. */
export function isAccessListing(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname === "/newsroom/api";
}

const SHAPE = z.object({
  data: z.object({
    articles: z.array(
      z.object({
        title: z.string().nullish(),
        releaseurl: z.string().nullish(),
        body: z.string().nullish(),
        adate: z.string().nullish(),
      }),
    ),
  }),
});

/** What the page hands out so that its listing may be asked. */
interface Pass {
  readonly token: string;
  readonly cookie: string;
}

const TOKEN_FIELD = /<input\b[^>]{0,300}?\bname="AntiforgeryFieldname"[^>]{0,300}>/i;
const TOKEN_VALUE = /\bvalue="([^"]{1,2000})"/i;

export function createAccessListing(web: Web): AccessListing {
  let pass: Pass | null = null;

  async function list(url: string, request: WebRequest): Promise<WebAnswer> {
    pass ??= await fetchPass(web, new URL("/newsroom", url), request);
    return web.ask(url, { ...request, method: "POST", headers: passHeaders(pass, new URL(url)) });
  }

  return {
    read: async (url, asked) => {
      const request: WebRequest = { what: "feed", ...asked };
      const hadPass = pass !== null;
      try {
        return readListing(await list(url, request));
      } catch (error) {
        // Passes run out. Whatever it was, the next look begins with a new one; where only that can be wrong, this one does.
        pass = null;
        if (!hadPass || !(error instanceof WireError) || error.failure !== "unreadable") throw error;
        return readListing(await list(url, request));
      }
    },
  };
}

async function fetchPass(web: Web, newsroom: URL, request: WebRequest): Promise<Pass> {
  const page = await web.ask(newsroom.href, { ...request, headers: { accept: "text/html" } });
  const field = TOKEN_FIELD.exec(page.body.toString("utf8"))?.[0] ?? "";
  const token = TOKEN_VALUE.exec(field)?.[1];
  if (token === undefined) {
    throw new WireError("unreadable", `${newsroom.host}${newsroom.pathname}: the page holds no token for its listing`);
  }
  const cookies = page.headers("set-cookie").map((cookie) => cookie.split(";")[0] ?? "");
  return { token, cookie: cookies.join("; ") };
}

function passHeaders({ token, cookie }: Pass, { origin }: URL): Record<string, string> {
  return {
    accept: "application/json",
    account: "1",
    origin,
    referer: `${origin}/newsroom`,
    "x-requested-with": "XMLHttpRequest",
    "x-csrf-token-headername": token,
    ...(cookie !== "" && { cookie }),
  };
}

function readListing({ url, body }: WebAnswer): FeedItem[] {
  const parsed = SHAPE.safeParse(parseJson(body));
  if (!parsed.success) {
    throw new WireError(
      "unreadable",
      `${url.host}${url.pathname}: expected JSON with data.articles, got another shape`,
    );
  }
  const entries = parsed.data.data.articles.map(
    (article): FeedEntry => ({
      link: article.releaseurl ?? undefined,
      heading: article.title ?? undefined,
      teaser: article.body ?? undefined,
      publishedAt: newYorkInstant(article.adate ?? undefined),
      tickers: [],
    }),
  );
  return entries.flatMap((entry) => feedItem(entry, url) ?? []);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

const ZONED = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/** The listing writes New York's time and no zone. */
function newYorkInstant(text: string | undefined): Instant | null {
  const asIfUtc = parseFeedDate(text);
  if (asIfUtc === null || ZONED.test(text ?? "")) return asIfUtc;
  const { day, minute } = wallClockAt(asIfUtc, "UTC");
  return instantAt(day, minute, MARKET_ZONE) + (asIfUtc % MINUTE_MS);
}
