import { WIRES, type Wire } from "../../../src/domain/article/wire.ts";
import { type FakeWire, settingsFor, startFakeWire } from "../../newswires/fake-wire.ts";
import { FakeCorporateActions } from "../corporate-actions.ts";
import { FakeDailyList } from "../daily-list.ts";
import { type Fault, faults } from "../http-faults.ts";
import { FakeNotices } from "../nasdaqtrader.ts";
import type { Random } from "../random.ts";
import { type SourceServer, startSourceServer } from "../source-server.ts";

/** What the sources publish, as the servers of the month show it. */
export interface MonthServers {
  readonly wires: Readonly<Record<Wire, FakeWire>>;
  readonly nasdaq: FakeNotices;
  readonly finra: FakeDailyList;
  readonly nyse: FakeCorporateActions;
}

/** Running servers with the settings that read them, by the name of the source. */
export interface RunningServers extends MonthServers {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Applies a random fault to the servers of the source. */
  break(source: string, random: Random): void;
  /** Ends all faults. */
  repair(): void;
  close(): Promise<void>;
}

/** Faults that need no waiting. */
const FAULTS: readonly [Fault, ...Fault[]] = [
  faults.status(403),
  faults.status(403, { "cf-mitigated": "challenge" }),
  faults.status(404),
  faults.status(429),
  faults.status(500),
  faults.status(204),
  faults.html(),
  faults.challenge(),
  faults.body("", "application/json"),
  faults.body("[]", "application/json"),
  faults.body('[{"OTCDailyListID":1,"exD', "application/json"),
  faults.body('{"count":0,"next":null,"results":[]}', "application/json"),
  faults.brokenXml(),
  faults.body('<?xml version="1.0"?><rss version="2.0"><channel><title>News</title></channel></rss>'),
  faults.breaksOff(),
];

/** Interval between polls in the settings: the replay moves the time further before each. */
const EVERY_MS = 60_000;

export async function startMonthServers(): Promise<RunningServers> {
  const started = await Promise.all(WIRES.map(async (wire) => [wire, await startFakeWire(wire)] as const));
  const wires = Object.fromEntries(started) as Readonly<Record<Wire, FakeWire>>;
  const [nasdaq, finra, nyse] = [new FakeNotices(), new FakeDailyList(), new FakeCorporateActions()];
  const servers: Readonly<Record<string, SourceServer>> = {
    nasdaq: await startSourceServer((request) => nasdaq.answer(request)),
    finra: await startSourceServer((request) => finra.answer(request)),
    nyse: await startSourceServer((request) => nyse.answer(request)),
  };
  const notices = Object.entries(servers).map(([name, { origin }]) => [
    name,
    { everyMs: EVERY_MS, origins: { url: origin } },
  ]);
  const fakeWires = Object.values(wires);
  return {
    wires,
    nasdaq,
    finra,
    nyse,
    settings: { newswires: settingsFor(fakeWires, EVERY_MS), ...Object.fromEntries(notices) },
    break(source, random) {
      servers[source]?.break(random.pick(FAULTS));
      if (source !== "newswires") return;
      for (const wire of fakeWires) {
        if (random.chance(0.5)) wire.break("feed", random.pick(FAULTS));
        if (random.chance(0.5)) wire.break("page", random.pick(FAULTS));
      }
    },
    repair() {
      for (const server of Object.values(servers)) server.break(null);
      for (const wire of fakeWires) for (const target of ["feed", "page"] as const) wire.break(target, null);
    },
    async close() {
      await Promise.all([...fakeWires, ...Object.values(servers)].map((server) => server.close()));
    },
  };
}
