import { WIRES, type Wire } from "../../domain/article/wire.ts";
import type { OpenSource, SourceParts } from "../source-definition.ts";
import { type FetchError, toFetchError } from "../web/fetch-error.ts";
import { pageReader } from "../web/page-text.ts";
import type { FeedItem } from "../web/read-feed.ts";
import { newestVersions, readFeed } from "../web/read-feed.ts";
import { userAgent } from "../web/user-agent.ts";
import { createWeb, type Web, type WebRequest } from "../web/web.ts";
import { createAccessNewsroom, isAccessNewsroom } from "./access-newsroom.ts";
import { followWires } from "./follow-wires.ts";
import type { Newswire } from "./newswire.ts";
import { feedAddresses, type NewswireSettings } from "./settings.ts";

/** What differs between the hosts and pages of the wires. */
interface WireRules {
  /** Minimum pause between two requests to one host. */
  readonly paceMs: number;
  /** Selectors of the element that holds the release, the most specific first. */
  readonly containers: readonly string[];
}

/** The feeds themselves are configured in config/default.yaml. */
export const WIRE_RULES: Readonly<Record<Wire, WireRules>> = {
  prnewswire: { paceMs: 1_000, containers: ["section.release-body", "div.release-body"] },
  // Its feed has no tickers, and sometimes no pubDate. Its page host rejects many clients that are not browsers.
  businesswire: { paceMs: 2_000, containers: ["div.bw-release-story", "div#bw-release-story"] },
  globenewswire: {
    paceMs: 1_000,
    containers: ['[itemprop="articleBody"]', "#main-body-container", ".main-body-container"],
  },
  // It has no feed of all releases: its newsroom's JSON is read instead (access-newsroom.ts).
  accesswire: { paceMs: 2_000, containers: ["div.mw-100", "div.release-body", "article"] },
  // It blocks clients that send more than two requests per second for 15 minutes.
  newsfile: { paceMs: 10_000, containers: ["article#release", "div#release"] },
};

/** Rules for configured feeds, whose pages are unknown. */
export const CUSTOM_FEED_RULES: WireRules = { paceMs: 2_000, containers: ['[itemprop="articleBody"]', "article"] };

/** Returns the wires that have feeds, then the configured feeds. */
export function createNewswires({ wires, feeds }: NewswireSettings, { web }: { readonly web: Web }): Newswire[] {
  const named = WIRES.filter((wire) => wires[wire].feeds.length > 0).map((wire) =>
    createFeedWire({ web, name: wire, ...wires[wire], ...WIRE_RULES[wire] }),
  );
  const custom = feeds.map(({ name, url, everyMs }) =>
    createFeedWire({ web, name, everyMs, feeds: [url], ...CUSTOM_FEED_RULES }),
  );
  return [...named, ...custom];
}

export interface ConnectedWires {
  readonly wires: readonly Newswire[];
  /** Aborts their requests. */
  close(): Promise<void>;
}

export function connectNewswires(
  settings: NewswireSettings,
  { clock, queue, version, contact }: Pick<SourceParts, "clock" | "queue" | "version" | "contact">,
): ConnectedWires {
  const agent = userAgent("splitwatch/{version} (+{contact})", { version, contact });
  const web = createWeb({ clock, queue, userAgentFor: () => agent, configured: feedAddresses(settings) });
  return { wires: createNewswires(settings, { web }), close: () => web.close() };
}

/** Connects to the wires and follows them. */
export async function openNewswires(settings: NewswireSettings, parts: SourceParts): Promise<OpenSource> {
  const connected = connectNewswires(settings, parts);
  const followed = followWires({ ...parts, wires: connected.wires });
  return {
    ...followed,
    async stop() {
      await followed.stop();
      await connected.close();
    },
  };
}

interface FeedWireParts extends WireRules {
  readonly web: Web;
  readonly name: string;
  readonly everyMs: number;
  readonly feeds: readonly string[];
}

/** A feed's last full answer, for conditional requests. */
interface CachedFeed {
  readonly validators: Readonly<Record<string, string>>;
  readonly items: readonly FeedItem[];
}

function createFeedWire({ web, name, everyMs, feeds, paceMs, containers }: FeedWireParts): Newswire {
  const cached = new Map<string, CachedFeed>();
  const newsroom = createAccessNewsroom(web);
  const pageText = pageReader(containers);

  async function readOne(feed: string, options: Pick<WebRequest, "paceMs" | "signal">): Promise<readonly FeedItem[]> {
    if (isAccessNewsroom(feed)) return newsroom.read(feed, options);
    const before = cached.get(feed);
    const answer = await web.request(feed, { kind: "feed", headers: { ...before?.validators }, ...options });
    // A 304 to an unconditional request has no body to fall back on; readFeed rejects it.
    if (answer.status === 304 && before) return before.items;
    const items = readFeed(answer);
    cached.set(feed, { validators: validatorsOf(answer.header), items });
    return items;
  }

  return {
    name,
    everyMs,
    readFeeds: async (signal) => {
      const items: FeedItem[] = [];
      const failures: FetchError[] = [];
      for (const feed of feeds) {
        try {
          items.push(...(await readOne(feed, { paceMs, signal })));
        } catch (error) {
          if (signal.aborted) throw error;
          failures.push(toFetchError(error));
        }
      }
      return { items: newestVersions(items), failures };
    },
    readPage: async ({ url, heading }, signal) =>
      pageText(await web.request(url, { kind: "page", paceMs, signal }), heading),
  };
}

function validatorsOf(header: (name: string) => string | null): Record<string, string> {
  const etag = header("etag");
  const modified = header("last-modified");
  return { ...(etag && { "if-none-match": etag }), ...(modified && { "if-modified-since": modified }) };
}
