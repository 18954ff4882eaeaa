import { WIRES, type Wire } from "../../../src/domain/article/wire.ts";
import { dayInZone, type Instant } from "../../../src/domain/time/day.ts";
import { MARKET_ZONE } from "../../../src/domain/time/trading-day.ts";
import { type FakeWire, settingsFor, startFakeWire } from "../../newswires/fake-wire.ts";
import { FakeBulletins } from "../bulletins.ts";
import { FakeCorporateActions } from "../corporate-actions.ts";
import { FakeDailyList } from "../daily-list.ts";
import { FakeEdgar } from "../edgar-server.ts";
import { type Fault, faults } from "../http-faults.ts";
import { FakeNotices } from "../nasdaqtrader.ts";
import type { Random } from "../random.ts";
import { type SourceServer, startSourceServer } from "../source-server.ts";
import { FakeDirectories, TRADED } from "../symbol-directories.ts";
import { FakeHalts } from "../trade-halts.ts";
import { FakeVentureBulletins, ventureList } from "../venture-bulletins.ts";

/** What the sources publish, as the servers of the month show it. */
export interface MonthServers {
  readonly wires: Readonly<Record<Wire, FakeWire>>;
  readonly nasdaq: FakeNotices;
  readonly finra: FakeDailyList;
  readonly nyse: FakeCorporateActions;
  readonly sec: FakeEdgar;
  readonly cse: FakeBulletins;
  readonly tsxv: FakeVentureBulletins;
  readonly halts: FakeHalts;
  readonly symbols: FakeDirectories;
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

const rss = (items: string): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items}</channel></rss>`;

/** Faults that need no waiting, which any source may have. */
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
  faults.brokenXml(),
  faults.body(rss("")),
  faults.breaksOff(),
];

const IMPERVA = "<html><body>Request unsuccessful. Incapsula incident ID: 7-1</body></html>";
const UNDECLARED = "<html><body><h1>Your Request Originates from an Undeclared Automated Tool</h1></body></html>";

/** Faults that were observed at single sources. */
const SOURCE_FAULTS: Readonly<Record<string, readonly [Fault, ...Fault[]]>> = {
  newswires: [
    (request, response) => faults.redirect(`${request.url}/`, 301)(request, response),
    faults.status(202, {}, ""),
    faults.body("No data could be found.", "text/html"),
    faults.body("This feed was deactivated by the administrator"),
  ],
  nasdaq: [
    faults.body(IMPERVA, "text/html"),
    faults.body("<html><body>Page Not Available</body></html>", "text/html"),
    faults.body('{"id":2,"result":"<table></table>"}', "application/json"),
  ],
  finra: [
    faults.body('[{"OTCDailyListID":1,"exD', "application/json"),
    faults.body('{"statusCode":400,"message":"limit is required"}', "application/json"),
    faults.body("OTCDailyListID\n1\n", "text/csv"),
  ],
  nyse: [
    faults.body('{"count":0,"next":null,"results":[]}', "application/json"),
    faults.body('{"count":300,"next":null,"previous":null,"results":[]}', "application/json"),
  ],
  sec: [
    faults.body(UNDECLARED, "text/html"),
    faults.status(403, {}, "<html><body><h1>Request Rate Threshold Exceeded</h1></body></html>"),
    faults.status(503),
  ],
  cse: [
    faults.body('{"list":[{"title":"2026-1 - Consolidation - Exa', "application/json"),
    faults.body('{"list":[]}', "application/json"),
  ],
  tsxv: [
    // The list in place of a page, and an error page in place of either.
    faults.body(ventureList([]).body ?? "", "text/html"),
    faults.body("<html><body><h1>An error occurred</h1></body></html>", "text/html"),
  ],
  halts: [
    faults.body(IMPERVA, "text/html"),
    faults.body('\uFEFF<rss version="2.0"><channel><ndaq:numItems>7</ndaq:numItems></channel></rss>'),
  ],
  symbols: [
    // A directory without its last line, and one without rows.
    faults.body(TRADED.slice(0, TRADED.indexOf("File Creation Time")), "text/plain"),
    faults.body('{"fields":["cik","name","ticker","exchange"],"data":[]}', "application/json"),
  ],
};

/** Pages of single notices and filings, and what EDGAR states about a filer. */
function isPage(path: string): boolean {
  return /^\/(?:TraderNews|bulletin\/|TSXVenture\/.*NoticesContents|Archives\/|submissions\/)/.test(path);
}

function isList(path: string): boolean {
  return !isPage(path);
}

/** Interval between polls in the settings: the replay moves the time further before each. */
const EVERY_MS = 60_000;

/** @param now Time of the replay. */
export async function startMonthServers(now: () => Instant): Promise<RunningServers> {
  const started = await Promise.all(WIRES.map(async (wire) => [wire, await startFakeWire(wire)] as const));
  const wires = Object.fromEntries(started) as Readonly<Record<Wire, FakeWire>>;
  const fakes = {
    nasdaq: new FakeNotices(),
    finra: new FakeDailyList(),
    nyse: new FakeCorporateActions(),
    sec: new FakeEdgar(),
    cse: new FakeBulletins(),
    tsxv: new FakeVentureBulletins(),
    halts: new FakeHalts(() => dayInZone(now(), MARKET_ZONE)),
    symbols: new FakeDirectories(),
  };
  const servers: Record<string, SourceServer> = {};
  for (const [name, fake] of Object.entries(fakes))
    servers[name] = await startSourceServer((request) => fake.answer(request));
  const official = Object.entries(servers).map(([name, { origin }]) => [
    name,
    {
      everyMs: EVERY_MS,
      origins: { url: origin, secUrl: origin, searchUrl: origin, dataUrl: origin, pageUrl: origin },
    },
  ]);
  const fakeWires = Object.values(wires);
  return {
    wires,
    ...fakes,
    settings: { newswires: settingsFor(fakeWires, EVERY_MS), ...Object.fromEntries(official) },
    break(source, random) {
      const fault = (): Fault => random.pick(random.chance(0.5) ? FAULTS : (SOURCE_FAULTS[source] ?? FAULTS));
      const fails = random.pick([isPage, isList, () => true]);
      servers[source]?.break(fault(), fails);
      if (source !== "newswires") return;
      for (const wire of fakeWires) {
        if (random.chance(0.5)) wire.break("feed", fault());
        if (random.chance(0.5)) wire.break("page", fault());
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
