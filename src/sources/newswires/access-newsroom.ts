import { z } from "zod";
import { yieldToEventLoop } from "../../lib/slices.ts";
import { parseFieldTime } from "../notations.ts";
import { FetchError, unreadable } from "../web/fetch-error.ts";
import type { FeedItem } from "../web/read-feed.ts";
import { feedItem } from "../web/read-feed.ts";
import { readJson } from "../web/read-json.ts";
import type { Web, WebAnswer, WebRequest } from "../web/web.ts";

/** Client for the JSON API of ACCESS Newswire's newsroom. Sends the same requests as the newsroom's page. */
export interface AccessNewsroom {
  /** Returns the releases, newest first. Throws a FetchError. */
  read(url: string, options: Pick<WebRequest, "paceMs" | "signal">): Promise<FeedItem[]>;
}

/** Whether the address is the newsroom's API and not a feed. */
export function isAccessNewsroom(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname === "/newsroom/api";
}

/** A field of another type counts as absent. */
const text = z.string().optional().catch(undefined);
const articleSchema = z.object({ title: text, releaseurl: text, body: text, adate: text }).catch({});
const answerSchema = z.object({ data: z.object({ articles: z.array(articleSchema) }) });

/** Anti-forgery token and cookie that the page issues to every visitor. */
interface Credentials {
  readonly token: string;
  readonly cookie: string;
}

const TOKEN_FIELD = /<input\b[^>]{0,300}?\bname="AntiforgeryFieldname"[^>]{0,300}>/i;
const TOKEN_VALUE = /\bvalue="([^"]{1,2000})"/i;

export function createAccessNewsroom(web: Web): AccessNewsroom {
  let credentials: Credentials | null = null;

  async function request(url: string, options: WebRequest): Promise<WebAnswer> {
    credentials ??= await fetchCredentials(web, new URL("/newsroom", url), options);
    return web.request(url, { ...options, method: "POST", headers: apiHeaders(credentials, new URL(url)) });
  }

  return {
    read: async (url, options) => {
      const feedOptions: WebRequest = { kind: "feed", ...options };
      const hadCredentials = credentials !== null;
      try {
        return await readNewsroomAnswer(await request(url, feedOptions));
      } catch (error) {
        // Any failure discards the credentials. An unreadable answer may mean that they expired, so new ones are tried once.
        credentials = null;
        if (!hadCredentials || !(error instanceof FetchError) || error.failure !== "unreadable") throw error;
        return await readNewsroomAnswer(await request(url, feedOptions));
      }
    },
  };
}

async function fetchCredentials(web: Web, newsroom: URL, options: WebRequest): Promise<Credentials> {
  const page = await web.request(newsroom.href, {
    ...options,
    headers: { accept: "text/html" },
    holdsCredentials: true,
  });
  const field = TOKEN_FIELD.exec(page.body.toString("utf8"))?.[0] ?? "";
  const token = TOKEN_VALUE.exec(field)?.[1];
  if (token === undefined) throw unreadable({ url: newsroom }, "the page has no token for its API");
  const cookies = page.headers("set-cookie").map((cookie) => cookie.split(";")[0] ?? "");
  return { token, cookie: cookies.join("; ") };
}

function apiHeaders({ token, cookie }: Credentials, { origin }: URL): Record<string, string> {
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

/** Parses the releases in an answer of the API. Rejects with a FetchError. */
export async function readNewsroomAnswer(answer: WebAnswer): Promise<FeedItem[]> {
  const parsed = answerSchema.safeParse(readJson(answer));
  if (!parsed.success) throw unreadable(answer, "expected JSON with data.articles, got JSON of another shape");
  const items: FeedItem[] = [];
  for (const { title, releaseurl, body, adate } of parsed.data.data.articles) {
    const entry = {
      link: releaseurl,
      heading: title,
      teaser: body,
      publishedAt: parseFieldTime(adate ?? ""),
      tickers: [],
    };
    const item = feedItem(entry, answer.url);
    if (item !== null) items.push(item);
    await yieldToEventLoop();
  }
  return items;
}
