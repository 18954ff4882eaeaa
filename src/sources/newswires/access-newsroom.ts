import type { DocumentReader } from "../reading/document-reader.ts";
import { FetchError } from "../web/fetch-error.ts";
import type { FeedItem } from "../web/read-feed.ts";
import type { Web, WebRequest } from "../web/web.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { WIRE_READERS } from "./readers.ts";

/** Client for the JSON API of ACCESS Newswire's newsroom. Sends the same requests as the newsroom's page. */
export interface AccessNewsroom {
  /** Returns the releases, newest first. Throws a FetchError. */
  read(url: string, options: Pick<WebRequest, "paceMs" | "signal">): Promise<FeedItem[]>;
}

/** Whether the address is the newsroom's API and not a feed. */
export function isAccessNewsroom(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname === "/newsroom/api";
}

/** Anti-forgery token and cookie that the page issues to every visitor. */
interface Credentials {
  readonly token: string;
  readonly cookie: string;
}

export function createAccessNewsroom(web: Web, reader: DocumentReader): AccessNewsroom {
  let credentials: Credentials | null = null;

  async function fetchCredentials(newsroom: URL, options: WebRequest): Promise<Credentials> {
    const page = await web.request(newsroom.href, {
      ...options,
      headers: { accept: "text/html" },
      holdsCredentials: true,
    });
    const token = await reader.read(WIRE_READERS, "readNewsroomToken", page);
    const cookies = page.headers("set-cookie").map((cookie) => cookie.split(";")[0] ?? "");
    return { token, cookie: cookies.join("; ") };
  }

  async function request(url: string, options: WebRequest): Promise<WebAnswer> {
    credentials ??= await fetchCredentials(new URL("/newsroom", url), options);
    return web.request(url, { ...options, method: "POST", headers: apiHeaders(credentials, new URL(url)) });
  }

  async function readReleases(url: string, options: WebRequest): Promise<FeedItem[]> {
    return reader.read(WIRE_READERS, "readNewsroomAnswer", await request(url, options));
  }

  return {
    read: async (url, options) => {
      const feedOptions: WebRequest = { kind: "feed", ...options };
      const hadCredentials = credentials !== null;
      try {
        return await readReleases(url, feedOptions);
      } catch (error) {
        // Any failure discards the credentials. An unreadable answer may mean that they expired, so new ones are tried once.
        credentials = null;
        if (!hadCredentials || !(error instanceof FetchError) || error.failure !== "unreadable") throw error;
        return await readReleases(url, feedOptions);
      }
    },
  };
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
