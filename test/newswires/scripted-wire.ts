import type { FeedItem, FeedsReading, Newswire } from "../../src/sources/newswires/newswire.ts";
import { WireError } from "../../src/sources/newswires/newswire.ts";

/** A wire that shows and refuses what a test tells it to, without a network. */
export class ScriptedWire implements Newswire {
  readonly name: string;
  readonly everyMs = 60_000;
  /** What its feed shows. */
  items: FeedItem[] = [];
  /** Its feed fails with this. */
  failure: WireError | null = null;
  /** Texts of pages by address; a WireError is thrown, and a page that is not here never comes. */
  readonly pages = new Map<string, string | WireError>();
  /** The addresses that were read, in order. */
  readonly asked: string[] = [];
  looks = 0;

  constructor(name = "globenewswire") {
    this.name = name;
  }

  readonly readFeeds = async (): Promise<FeedsReading> => {
    this.looks += 1;
    return this.failure ? { items: [], failures: [this.failure] } : { items: [...this.items], failures: [] };
  };

  readonly readPage = async ({ url }: FeedItem, signal: AbortSignal): Promise<string> => {
    this.asked.push(url);
    const page = this.pages.get(url) ?? (await stopped(signal));
    if (page instanceof WireError) throw page;
    return page;
  };

  /** Puts a release on top of the feed; its page says `text`. */
  show(item: Partial<FeedItem> & { readonly url: string }, text?: string | WireError): void {
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

/** A page of a release on the split of DLVX. */
export function splitPage(parts: { ratio?: string; exDate?: string; dateline?: string; ticker?: string } = {}): string {
  const { ratio = "1-for-20", exDate = "March 9, 2026", dateline = "March 2, 2026", ticker = "DLVX" } = parts;
  return `DENVER, ${dateline} -- Delvex Therapeutics, Inc. (Nasdaq: ${ticker}) today announced a ${ratio} reverse stock split of its
common stock. The common stock will begin trading on a split-adjusted basis when the market opens on ${exDate}. Any fractional
share will be rounded up to the nearest whole share.`;
}

async function stopped(signal: AbortSignal): Promise<WireError> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  return new WireError("unreachable", "the reading was stopped");
}
