import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { directReader } from "../../../test/support/direct-reader.ts";
import { SkippingClock } from "../../../test/support/skipping-clock.ts";
import { HOUR_MS, type Instant } from "../../domain/time/day.ts";
import { FetchError } from "../web/fetch-error.ts";
import type { Web } from "../web/web.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { newswireSettings } from "./settings.ts";
import { createNewswires } from "./wires.ts";

const root = new URL("../../../", import.meta.url);
const readText = (path: string): string => readFileSync(new URL(path, root), "utf8");
const NO_ABORT = new AbortController().signal;

/** Requests within an hour that the hosts tolerate, as far as known; the reasons are in docs/sources.md. */
const LIMITS: Readonly<Record<string, number>> = {
  // Polling every 30 seconds is common; up to three tries each.
  "www.prnewswire.com": 720,
  // Its answers may be cached for 208 seconds.
  "feed.businesswire.com": 17,
  "rss.globenewswire.com": 860,
  // A crawl delay of 5 seconds.
  "www.newswire.com": 720,
  // It refuses programs.
  "www.accessnewswire.com": 60,
  // Two requests per second; readers of it poll each industry every three minutes.
  "feeds.newsfilecorp.com": 440,
};

const FEED = `<rss version="2.0"><channel><title>All news</title><item><title>Orvane opens an office</title>
  <link>https://wire.example/release/1</link></item></channel></rss>`;

/** Counts requests by host and hour, and answers each with the same feed; ACCESS Newswire's own host refuses. */
function countingWeb(clock: SkippingClock, requests: Map<string, number>): Web {
  return {
    request: (url) => {
      const { host } = new URL(url);
      const key = `${host} ${Math.floor(clock.now() / HOUR_MS)}`;
      requests.set(key, (requests.get(key) ?? 0) + 1);
      if (host === "www.accessnewswire.com") throw new FetchError("refused", `${host} answered 403`);
      const body = Buffer.from(FEED);
      return Promise.resolve<WebAnswer>({
        status: 200,
        url: new URL(url),
        body,
        header: () => null,
        headers: () => [],
      });
    },
    requestCount: 0,
    close: () => Promise.resolve(),
  };
}

/** From before the pace of the day, which lasts from 06:00 to 20:00 in New York, until some hours into it. */
const START: Instant = Date.parse("2026-03-02T09:00:00Z");
const END: Instant = START + 6 * HOUR_MS;

/** Largest number of requests within an hour by host, over a working day with the default settings. */
async function busiestHours(): Promise<ReadonlyMap<string, number>> {
  const { newswires } = parse(readText("config/default.yaml")) as { newswires: unknown };
  const requests = new Map<string, number>();
  const clock = new SkippingClock();
  for (const wire of createNewswires(newswireSettings().parse(newswires), { clock, reader: directReader }, () =>
    countingWeb(clock, requests),
  )) {
    clock.jump(START - clock.now());
    while (clock.now() < END) {
      await wire.readFeeds(NO_ABORT);
      clock.skip(wire.intervalMs(clock.now()));
    }
  }
  const busiest = new Map<string, number>();
  for (const [key, count] of requests) {
    const host = key.split(" ")[0] ?? "";
    busiest.set(host, Math.max(busiest.get(host) ?? 0, count));
  }
  return busiest;
}

describe("a working day of polling with the default settings", () => {
  it("stays below the limit of each host, and is documented", async () => {
    const busiest = await busiestHours();

    expect([...busiest.keys()].toSorted()).toEqual(Object.keys(LIMITS).toSorted());
    for (const [host, count] of busiest) expect([host, count <= (LIMITS[host] ?? 0)]).toEqual([host, true]);
    const documented = readText("docs/sources.md");
    for (const [host, count] of busiest) expect(documented).toContain(`| \`${host}\` | ${count} |`);
  });
});
