import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aRecord, ticker } from "../../../test/support/builders.ts";
import { directReader } from "../../../test/support/direct-reader.ts";
import { followSources } from "../../../test/support/follow-sources.ts";
import { faults } from "../../../test/support/http-faults.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { recordedLog } from "../../../test/support/recorded-log.ts";
import { aRelease } from "../../../test/support/releases.ts";
import { memorySourceRecords, openSourceRecords } from "../../../test/support/source-records.ts";
import { type SourceServer, startSourceServer } from "../../../test/support/source-server.ts";
import { COMPANY_TICKERS, OTHER, TRADED } from "../../../test/support/symbol-directories.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { webAnswer } from "../../../test/support/web-answer.ts";
import { extractReleaseFacts } from "../../catalog/extract-release.ts";
import type { Release } from "../../catalog/release.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/day.ts";
import { type Documents, StoreError } from "../../ports/store.ts";
import { createSymbolTable } from "../symbol-table.ts";
import { createHostQueue } from "../web/host-queue.ts";
import { readCompanyTickers } from "./company-tickers.ts";
import { symbols } from "./index.ts";

/** Documents of a store, in memory. */
class MemoryDocuments implements Documents {
  readonly texts = new Map<string, string>();
  isFull = false;

  async read(name: string): Promise<string | null> {
    return this.texts.get(name) ?? null;
  }

  async write(name: string, text: string): Promise<void> {
    if (this.isFull) throw new StoreError("the disk is full");
    this.texts.set(name, text);
  }

  onChange(): () => void {
    return () => undefined;
  }
}

const closers: (() => Promise<void>)[] = [];
let documents = new MemoryDocuments();

beforeEach(() => {
  documents = new MemoryDocuments();
});

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A server with all directories, which answers 304 if they are unchanged. */
async function startServer(traded = TRADED): Promise<SourceServer> {
  const server = await startSourceServer(({ path, headers }) => {
    if (headers["if-none-match"] === '"1"') return { status: 304 };
    const bodies = {
      "/dynamic/SymDir/nasdaqtraded.txt": traded,
      "/dynamic/SymDir/otherlisted.txt": OTHER,
      "/files/company_tickers_exchange.json": COMPANY_TICKERS,
    };
    const body = bodies[path as keyof typeof bodies];
    return body === undefined ? { status: 404 } : { type: "text/plain", headers: { etag: '"1"' }, body };
  });
  closers.push(() => server.close());
  return server;
}

interface FollowOptions {
  readonly contact?: string | null;
  readonly sec?: SourceServer;
  readonly clock?: ManualClock;
  readonly stored?: readonly Release[];
}

async function follow({ origin }: SourceServer, options: FollowOptions = {}) {
  const { contact = null, sec, clock = new ManualClock(), stored = [] } = options;
  const table = createSymbolTable(documents);
  const settings = { everyMs: DAY_MS, origins: { url: origin, secUrl: sec?.origin ?? origin } };
  const log = recordedLog();
  const records = await openSourceRecords(memorySourceRecords());
  await records.releases.put(stored);
  const source = await symbols.open(settings, {
    clock,
    log,
    queue: createHostQueue(clock),
    reader: directReader,
    version: "0.0.0",
    contact,
    ...records,
    splits: () => [],
    directory: table,
  });
  closers.push(() => source.stop());
  const until = (what: string, condition: () => boolean, stepMs = 1_000): Promise<void> =>
    waitUntil(what, async () => {
      await clock.advance(stepMs);
      return condition();
    });
  const isRead = (): boolean => source.statuses()[0]?.lastReadAt !== null;
  const find = (symbol: string) =>
    table.find(ticker(symbol)).map(({ company, exchange }) => [company, exchange] as const);
  return { source, table, releases: records.releases, log, until, isRead, find };
}

describe("the symbol directories", () => {
  it("state company and exchange of the listed shares", async () => {
    const { find, until, isRead, source } = await follow(await startServer());
    await until("the directories are read", isRead);
    expect(find("QLMR")).toEqual([["Quillmere Therapeutics, Inc.", "NASDAQ"]]);
    expect(find("HRB.A")).toEqual([["Harbor Mills Company", "NYSE"]]);
    expect(find("OTHR")).toEqual([["Other Harbor Inc.", "NYSEARCA"]]);
    // The directory of all exchanges takes precedence.
    expect(find("BRVL")[0]).toEqual(["Brandvale Lithium Corp.", "NYSEAMERICAN"]);
    expect([find("QLMRW"), find("ZZTST"), find("NONE")]).toEqual([[], [], []]);
    expect(source.statuses()[0]).toMatchObject({ name: "symbols", condition: "ok", itemCount: 4 });
  });

  it("include the SEC's list of companies if there is a mail address", async () => {
    const server = await startServer();
    const { find, until, isRead } = await follow(server, { contact: "ops@example.com" });
    await until("the directories are read", isRead);
    expect(find("TVCC")).toEqual([["Tarn Valley Copper Corp.", "OTC"]]);
    // The exchanges' directory takes precedence. The SEC's NYSE includes NYSE American and NYSE Arca.
    expect(find("QLMR")).toEqual([
      ["Quillmere Therapeutics, Inc.", "NASDAQ"],
      ["QUILLMERE THERAPEUTICS, INC.", "NASDAQ"],
    ]);
    expect([find("HRB.B"), find("UNLD")]).toEqual([[["Harbor Mills Co", null]], [["Unlisted Holdings Ltd", null]]]);
    expect([find("QLMRW"), find("NONM")]).toEqual([[], []]);
    expect(server.received.map(({ path, headers }) => [path, headers["user-agent"]])).toEqual([
      ["/dynamic/SymDir/otherlisted.txt", "splitwatch/0.0.0 (ops@example.com)"],
      ["/dynamic/SymDir/nasdaqtraded.txt", "splitwatch/0.0.0 (ops@example.com)"],
      ["/files/company_tickers_exchange.json", "splitwatch ops@example.com"],
    ]);
  });

  it("include the share classes of a company in the SEC's list, with its name, but no other securities", async () => {
    const data = ["TVC", "TVCA", "TVC-B", "TVC-PA", "TVC-WT", "TVCU"].map((symbol) => [
      9_999_902,
      "Tarn Valley Copper Corp. Class A Shares",
      symbol,
      "OTC",
    ]);
    const body = JSON.stringify({ fields: ["cik", "name", "ticker", "exchange"], data });
    const listed = readCompanyTickers(webAnswer(body, "https://directory.example/company_tickers_exchange.json"));
    expect([...listed.keys()]).toEqual(["TVC", "TVCA", "TVC.B"]);
    expect(listed.get(ticker("TVCA"))).toEqual({ company: "Tarn Valley Copper Corp.", exchange: "OTC" });
  });

  it.each([null, "https://example.com/bots"])("don't include the SEC's list with the contact %s", async (contact) => {
    const server = await startServer();
    const { until, isRead, source } = await follow(server, { contact });
    await until("the directories are read", isRead);
    expect(server.received.map(({ path }) => path)).not.toContain("/files/company_tickers_exchange.json");
    expect(source.statuses()[0]).toMatchObject({ condition: "ok", problem: null });
  });

  it("are requested once a day, and not transferred again if they are unchanged", async () => {
    const server = await startServer();
    const { find, until, isRead } = await follow(server);
    await until("the directories are read", isRead);
    expect(server.received).toHaveLength(2);
    await until("they are requested again", () => server.received.length === 4, HOUR_MS);
    expect(server.received.slice(2).map(({ headers }) => headers["if-none-match"])).toEqual(['"1"', '"1"']);
    expect(find("QLMR")).toHaveLength(1);
  });

  it.each([
    ["a web page", faults.html(), "unreadable"],
    [
      "a file without its last line",
      faults.body(TRADED.split("\r\n").slice(0, 3).join("\r\n"), "text/plain"),
      "unreadable",
    ],
    ["a file without symbols", faults.body(TRADED.replace(/^Y.*\r\n/gm, ""), "text/plain"), "unreadable"],
    ["403", faults.status(403), "refusing"],
    ["500", faults.status(500), "unreachable"],
  ] as const)("report %s, and are read later", async (_, fault, condition) => {
    const server = await startServer();
    server.break(fault);
    const { source, find, until, isRead } = await follow(server);
    await until("the directories are tried", isRead);
    expect(source.statuses()[0]).toMatchObject({ condition });
    server.break(null);
    await until("they are read", () => find("QLMR").length > 0, HOUR_MS / 4);
  });

  it.each([
    ["a web page", faults.html(), /company_tickers_exchange\.json.*expected JSON with fields and data/],
    ["another shape", faults.body('{"0":{"cik_str":1}}', "application/json"), /expected JSON with fields and data/],
    ["other columns", faults.body('{"fields":["a"],"data":[[1]]}', "application/json"), /expected rows with cik/],
    ["403", faults.status(403), /answered 403/],
    [
      "the refusal of an agent",
      faults.body("<html><title>SEC.gov | Request Rate Threshold Exceeded</title></html>", "text/html"),
      /answered/,
    ],
  ] as const)("report %s in place of the SEC's list, and keep the other directories", async (_, fault, problem) => {
    const sec = await startServer();
    sec.break(fault);
    const { source, find, until, isRead } = await follow(await startServer(), { contact: "ops@example.com", sec });
    await until("the directories are read", isRead);
    expect(source.statuses()[0]).toMatchObject({ condition: "ok", problem: expect.stringMatching(problem) });
    expect([find("QLMR").length, find("TVCC").length]).toEqual([1, 0]);
    sec.break(null);
    await until("the SEC's list is read", () => find("TVCC").length > 0, HOUR_MS / 4);
  });
});

describe("a restart", () => {
  const contact = "ops@example.com";

  async function runOnce(server: SourceServer): Promise<void> {
    const { source, until, isRead } = await follow(server, { contact });
    await until("the directories are read", isRead);
    await source.stop();
  }

  it("keeps the directories without a network", async () => {
    const server = await startServer();
    await runOnce(server);
    server.break(faults.status(500));
    const { find } = await follow(server, { contact });
    expect(find("QLMR")[0]).toEqual(["Quillmere Therapeutics, Inc.", "NASDAQ"]);
    expect([find("HRB.B"), find("TVCC")]).toEqual([[["Harbor Mills Co", null]], [["Tarn Valley Copper Corp.", "OTC"]]]);
  });

  it("requests the directories conditionally, and keeps them if they are unchanged", async () => {
    const server = await startServer();
    await runOnce(server);
    const { source, find, until, isRead } = await follow(server, { contact });
    await until("they are requested again", isRead);
    expect(server.received.slice(3).map(({ headers }) => headers["if-none-match"])).toEqual(['"1"', '"1"', '"1"']);
    expect(source.statuses()[0]).toMatchObject({ condition: "ok", itemCount: 7 });
    expect(find("QLMR")).toHaveLength(2);
  });

  it("requests the directories from another origin without the validators of the first origin", async () => {
    await runOnce(await startServer());
    const other = await startServer();
    const { until, isRead } = await follow(other, { contact });
    await until("the directories are read", isRead);
    expect(other.received.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined, undefined]);
  });

  it("ignores copies that are older than a month", async () => {
    const server = await startServer();
    await runOnce(server);
    server.break(faults.status(500));
    const clock = new ManualClock();
    await clock.advance(31 * DAY_MS);
    expect((await follow(server, { clock })).find("QLMR")).toEqual([]);
  });

  it.each(["", "{", '{"version":0}', "[]"])("replaces damaged copies (%j)", async (text) => {
    const server = await startServer();
    await runOnce(server);
    expect([...documents.texts.keys()]).toHaveLength(3);
    for (const name of documents.texts.keys()) documents.texts.set(name, text);
    const { find, until, isRead } = await follow(server, { contact });
    expect(find("QLMR")).toEqual([]);
    await until("the directories are read", isRead);
    expect(find("QLMR")).toHaveLength(2);
    expect(documents.texts.get("directory-nasdaqtraded")).toContain("Quillmere");
  });

  it("reads the directories from their source if the copies can't be written", async () => {
    documents.isFull = true;
    const { find, log, until, isRead } = await follow(await startServer());
    await until("the directories are read", isRead);
    expect(find("QLMR")).toHaveLength(1);
    expect(log.count("symbol directory not saved")).toBe(2);
  });
});

describe("a release that was read before the directories", () => {
  const TEXT =
    "Tarn Valley Copper Corp. today announced a 1-for-20 reverse stock split. The shares will begin trading on a split-adjusted basis on March 10, 2026.";

  function untagged(parts: Parameters<typeof aRelease>[0] = {}): Release {
    const heading = "Reverse Stock Split of Tarn Valley Copper (TVCC)";
    const release = aRelease({ url: "https://wire.example/tarn", heading, text: TEXT, ...parts });
    return { ...release, facts: extractReleaseFacts(release, null) };
  }

  it("gets its ticker when the directories are read", async () => {
    const stored = [untagged()];
    const { releases, until } = await follow(await startServer(), { contact: "ops@example.com", stored });
    expect(stored[0]?.facts?.security.ticker).toBeNull();
    await until("it has a ticker", () => releases.get("https://wire.example/tarn")?.facts?.security.ticker === "TVCC");
    expect(releases.get("https://wire.example/tarn")?.facts?.splits).toMatchObject([
      { ticker: "TVCC", exchange: "OTC", exDate: "2026-03-10" },
    ]);
  });

  it("gets the exchange of a ticker that it names alone", async () => {
    const url = "https://wire.example/symbol-alone";
    const text = TEXT.replace("Copper Corp.", "Copper Corp. (TVCC)");
    const stored = [untagged({ url, text })];
    expect(stored[0]?.facts?.splits).toMatchObject([{ ticker: "TVCC", exchange: null }]);
    const { releases, until } = await follow(await startServer(), { contact: "ops@example.com", stored });
    await until("it has an exchange", () => releases.get(url)?.facts?.splits[0]?.exchange === "OTC");
  });

  it("keeps a correction that is saved while another release gets its ticker", async () => {
    const url = "https://wire.example/corrected";
    const { releases, until } = await follow(await startServer(), {
      contact: "ops@example.com",
      stored: [untagged(), untagged({ url })],
    });
    const corrections: Promise<unknown>[] = [];
    releases.onChange(() => {
      if (corrections.length > 0) return;
      const change = () =>
        [...releases.all()].flatMap((release) => (release.url === url ? { ...release, version: "corrected" } : []));
      corrections.push(releases.update(change));
    });
    await until("it has a ticker", () => releases.get(url)?.facts?.security.ticker === "TVCC");
    await Promise.all(corrections);
    expect(releases.get(url)).toMatchObject({ version: "corrected" });
  });
});

describe("a split that the directories contradict", () => {
  it("is reported as a problem, and keeps the listing that its sources state", async () => {
    const { origin } = await startServer();
    const clock = new ManualClock("2026-03-03T15:00Z");
    const store = memorySourceRecords();
    const stated = { ticker: "QLMR", exchange: "NYSE", company: "Quillmere Therapeutics, Inc." };
    await store.releases.put([aRelease({ facts: { splits: [stated] } })]);
    const settings = { everyMs: DAY_MS, origins: { url: origin, secUrl: origin } };
    const live = await followSources([(parts) => symbols.open(settings, parts)], {
      store,
      keepTextsMs: DAY_MS,
      clock,
      queue: createHostQueue(clock),
      reader: directReader,
      version: "0.0.0",
      contact: null,
      log: recordedLog(),
      directory: createSymbolTable(documents),
    });
    closers.push(() => live.stop());
    await waitUntil("the directories are read", async () => {
      await clock.advance(1_000);
      return live.problems().length > 0;
    });
    const problem =
      "QLMR: Nasdaq's symbol directory states Quillmere Therapeutics, Inc., Nasdaq, but the split's sources state Quillmere Therapeutics, Inc., NYSE; the sources are used";
    expect(live.problems()).toEqual([problem]);
    const split = live.splitOf(aRecord({ ...stated, exDate: "2026-03-10" }));
    expect(split?.listings).toEqual([{ ticker: "QLMR", exchange: "NYSE" }]);
    expect(split && live.listingProblems(split)).toEqual([problem]);
  });
});
