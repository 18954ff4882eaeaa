import type { FeedPollResult, Newswire } from "../../src/sources/newswires/newswire.ts";
import { FetchError } from "../../src/sources/web/fetch-error.ts";
import type { FeedItem } from "../../src/sources/web/read-feed.ts";

/** A wire with items and failures that the test sets, without a network. */
export class ScriptedWire implements Newswire {
  readonly name: string;
  readonly intervalMs = (): number => 60_000;
  /** Items of its feed. */
  items: FeedItem[] = [];
  /** Error of its feed; null: none. */
  failure: FetchError | null = null;
  /** Texts of pages by address. A FetchError is thrown; reading an unknown page hangs until the abort. */
  readonly pages = new Map<string, string | FetchError>();
  /** Addresses of the pages that were requested, in order. */
  readonly requested: string[] = [];

  constructor(name = "globenewswire") {
    this.name = name;
  }

  /** `lastReadAt` of each poll. */
  readonly lastReadAt: (number | null)[] = [];

  readonly readFeeds = async (_signal: AbortSignal, lastReadAt: number | null = null): Promise<FeedPollResult> => {
    this.lastReadAt.push(lastReadAt);
    return this.failure ? { items: [], failures: [this.failure] } : { items: [...this.items], failures: [] };
  };

  readonly readPage = async ({ url }: FeedItem, signal: AbortSignal): Promise<string> => {
    this.requested.push(url);
    const page = this.pages.get(url) ?? (await stopped(signal));
    if (page instanceof FetchError) throw page;
    return page;
  };

  /** Adds a release at the top of the feed; `text` is its page. */
  publish(item: Partial<FeedItem> & { readonly url: string }, text?: string | FetchError): void {
    const shown: FeedItem = {
      heading: "Delvex Therapeutics Announces 1-for-20 Reverse Stock Split",
      teaser: "",
      publishedAt: Date.parse("2026-03-02T13:30:00Z"),
      tickers: [],
      version: "1",
      ...item,
    };
    this.items = [shown, ...this.items.filter(({ url }) => url !== item.url)];
    if (text !== undefined) this.pages.set(item.url, text);
  }
}

/** Page of a release about the split of DLVX. */
export function splitPage(parts: { ratio?: string; exDate?: string; dateline?: string; ticker?: string } = {}): string {
  const { ratio = "1-for-20", exDate = "March 9, 2026", dateline = "March 2, 2026", ticker = "DLVX" } = parts;
  return `DENVER, ${dateline} -- Delvex Therapeutics, Inc. (Nasdaq: ${ticker}) today announced a ${ratio} reverse stock split of its
common stock. The common stock will begin trading on a split-adjusted basis when the market opens on ${exDate}. Any fractional
share will be rounded up to the nearest whole share.`;
}

async function stopped(signal: AbortSignal): Promise<FetchError> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  return new FetchError("unreachable", "the read was stopped");
}
