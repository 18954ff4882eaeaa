import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/domain/time/day.ts";
import { SOURCES } from "../../src/sources/index.ts";
import { openersOf } from "../../src/sources/live/live-sources.ts";
import type { ConfiguredSource } from "../../src/sources/source-definition.ts";
import { createHostQueue } from "../../src/sources/web/host-queue.ts";
import { countingQueue } from "../support/counting-queue.ts";
import { directReader } from "../support/direct-reader.ts";
import { followSources } from "../support/follow-sources.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { PolledHosts } from "../support/polled-hosts.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { IS_SOAK } from "../support/soak.ts";
import { memorySourceRecords } from "../support/source-records.ts";

/** Requests that hosts tolerate together within a time; docs/sources.md has the reasons. */
interface Limit {
  readonly hosts: readonly string[];
  readonly count: number;
  readonly withinMs: number;
}

const LIMITS: readonly Limit[] = [
  // The list and its pages, up to three tries each; readers of it poll every 30 seconds.
  { hosts: ["www.prnewswire.com"], count: 720, withinMs: HOUR_MS },
  // Its answers may be cached for 208 seconds.
  { hosts: ["feed.businesswire.com"], count: 17, withinMs: HOUR_MS },
  { hosts: ["rss.globenewswire.com"], count: 860, withinMs: HOUR_MS },
  { hosts: ["www.newswire.com"], count: 720, withinMs: HOUR_MS },
  { hosts: ["www.accessnewswire.com"], count: 60, withinMs: HOUR_MS },
  { hosts: ["feeds.newsfilecorp.com"], count: 2, withinMs: 1_000 },
  { hosts: ["feeds.newsfilecorp.com"], count: 440, withinMs: HOUR_MS },
  // Served with 0.6 to 1 second between requests.
  { hosts: ["www.nasdaqtrader.com"], count: 2, withinMs: 1_000 },
  { hosts: ["api.finra.org"], count: 20, withinMs: 1_000 },
  { hosts: ["www.nyse.com"], count: 40, withinMs: 4 * MINUTE_MS },
  { hosts: ["www.sec.gov", "efts.sec.gov", "data.sec.gov"], count: 10, withinMs: 1_000 },
  { hosts: ["website-data-api-v2.thecse.com", "thecse.com"], count: 60, withinMs: HOUR_MS },
  // One request at a time, and few; its limit is unknown.
  { hosts: ["infoventure.tsx.com"], count: 60, withinMs: HOUR_MS },
  { hosts: ["infoventure.tsx.com"], count: 2, withinMs: 1_000 },
];

/** Midnight in New York before a trading day. */
const MIDNIGHT = "2026-03-03T05:00:00Z";
/** In `npm test`, the first hours of the daytime, when most requests are sent. */
const [FROM_HOUR, HOURS] = IS_SOAK ? [0, 24] : [6, 2];

const CONTACT = "ops@example.com";

/** Polls the default settings on a moved clock. */
async function poll(clock: ManualClock, hosts: PolledHosts, hours: number): Promise<void> {
  const defaults = parse(readFileSync(new URL("../../config/default.yaml", import.meta.url), "utf8")) as unknown;
  const sources: ConfiguredSource[] = [];
  for (const definition of SOURCES) {
    let section: unknown = defaults;
    for (const key of definition.settingsKey.split(".")) section = (section as Readonly<Record<string, unknown>>)[key];
    const settings = definition.section.parse(await hosts.replaceOrigins(section));
    if (definition.offReason(settings, CONTACT) === null) sources.push({ definition, settings });
  }
  const queue = countingQueue(createHostQueue(clock));
  const live = await followSources(openersOf(sources), {
    store: memorySourceRecords(),
    keepTextsMs: DAY_MS,
    clock,
    queue,
    reader: directReader,
    version: "0.0.0",
    contact: CONTACT,
    log: recordedLog(),
  });
  const end = clock.now() + hours * HOUR_MS;
  while (clock.now() < end) {
    await queue.settled();
    await clock.advance((clock.nextWake ?? end) - clock.now());
  }
  expect(
    live
      .statuses()
      .filter(({ condition }) => condition !== "ok")
      .map(({ name }) => name),
  ).toEqual([]);
  await live.stop();
}

const cell = (text: unknown): string => String(text).padStart(5);

function printTable(perHour: ReadonlyMap<string, readonly number[]>): void {
  const rows = [...perHour].toSorted(([a], [b]) => a.localeCompare(b));
  const hours = Array.from({ length: HOURS }, (_, hour) => hour + FROM_HOUR);
  const lines = rows.map(
    ([host, counts]) =>
      host.padEnd(32) +
      hours.map((_, n) => cell(counts[n] ?? 0)).join("") +
      cell(Math.max(...hours.map((_, n) => counts[n] ?? 0))),
  );
  const head = "requests per host and hour (ET)".padEnd(32) + hours.map(cell).join("") + cell("max");
  process.stdout.write(`\n${[head, ...lines].join("\n")}\n`);
}

describe("polling with the default settings", () => {
  it("stays below the limits of every host", async () => {
    const start = new Date(Date.parse(MIDNIGHT) + FROM_HOUR * HOUR_MS).toISOString();
    const clock = new ManualClock(start);
    const hosts = new PolledHosts(() => clock.now());
    try {
      await poll(clock, hosts, HOURS);
      const perHour = hosts.perHour(Date.parse(start));
      if (IS_SOAK) printTable(perHour);
      // A filer is requested after an exhibit that announces a split.
      expect([...perHour.keys()]).toEqual(expect.arrayContaining(["thecse.com", "data.sec.gov"]));
      const limited = new Set(LIMITS.flatMap((limit) => limit.hosts));
      expect([...perHour.keys()].filter((host) => !limited.has(host))).toEqual([]);
      for (const { hosts: together, count, withinMs } of LIMITS)
        expect({ together, withinMs, within: hosts.maxWithin(together, withinMs) <= count }).toEqual({
          together,
          withinMs,
          within: true,
        });
    } finally {
      await hosts.close();
    }
  });
});
