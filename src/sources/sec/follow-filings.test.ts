import { afterEach, describe, expect, it } from "vitest";
import { directReader } from "../../../test/support/direct-reader.ts";
import { type EdgarServer, type FiledReport, folderOf, startEdgarServer } from "../../../test/support/edgar-server.ts";
import { faults } from "../../../test/support/http-faults.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { recordedLog } from "../../../test/support/recorded-log.ts";
import { MemoryReleases, memorySourceRecords, openSourceRecords } from "../../../test/support/source-records.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import type { Release } from "../../catalog/release.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import type { OpenSource } from "../source-definition.ts";
import { createSymbolTable } from "../symbol-table.ts";
import { createHostQueue } from "../web/host-queue.ts";
import { filingsIntervalMs } from "./follow-filings.ts";
import { sec } from "./index.ts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const CONTACT = "ops@example.com";

async function startServer(): Promise<EdgarServer> {
  const server = await startEdgarServer();
  closers.push(() => server.close());
  return server;
}

interface Followed {
  readonly source: OpenSource;
  readonly clock: ManualClock;
  readonly stored: MemoryReleases;
  readonly log: ReturnType<typeof recordedLog>;
  /** Advances the clock, step by step, until the condition is true. */
  readonly until: (what: string, condition: () => boolean, stepMs?: number) => Promise<void>;
  /** The release with this file. */
  readonly release: (file: string) => Release | undefined;
}

async function follow(
  { origin }: EdgarServer,
  { stored = new MemoryReleases(), clock = new ManualClock("2026-03-02T14:00:00Z") } = {},
): Promise<Followed> {
  const log = recordedLog();
  const settings = { everyMs: 2 * MINUTE_MS, origins: { url: origin, searchUrl: origin, dataUrl: origin } };
  const source = await sec.open(settings, {
    clock,
    log,
    queue: createHostQueue(clock),
    reader: directReader,
    version: "0.0.0",
    contact: CONTACT,
    ...(await openSourceRecords(memorySourceRecords({ releases: stored }))),
    splits: () => [],
    directory: createSymbolTable(),
  });
  closers.push(() => source.stop());
  const until = (what: string, condition: () => boolean, stepMs = 500): Promise<void> =>
    waitUntil(what, async () => {
      await clock.advance(stepMs);
      return condition();
    });
  const release = (file: string): Release | undefined =>
    [...stored.stored.values()].find(({ url }) => url.endsWith(`/${file}`));
  return { source, clock, stored, log, until, release };
}

/** Resolves when the lists were read, and every filing in them. */
function allRead({ source, until }: Followed): Promise<void> {
  return until(
    "all filings are read",
    () => source.statuses()[0]?.condition !== "waiting" && !source.hasUntriedPages(),
  );
}

const EXHIBIT = `<p style="text-align:right"><b>Exhibit 99.1</b></p>
<p><b>Quillmere Therapeutics Announces 1-for-15<br>Reverse Stock Split</b></p>
<p>LAKEFORD, Ohio, March 2, 2026 (GLOBE NEWSWIRE) -- Quillmere Therapeutics, Inc. (Nasdaq: QLMR) today announced that it will effect a
1-for-15 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on March 5, 2026.</p>
<p>No fractional shares will be issued; holders will receive cash in lieu of fractional shares.</p>`;

const REPORT = `<p>FORM 8-K</p><p>Quillmere Therapeutics, Inc.</p>
<p>Item 3.03 Material Modification to Rights of Security Holders.</p>
<p>The information in Item 5.03 is incorporated by reference.</p>
<p>Item 5.03 Amendments to Articles of Incorporation or Bylaws.</p>
<p>On March 2, 2026, Quillmere Therapeutics, Inc. (the “Company”) filed a certificate of amendment to effect a 1-for-15 reverse stock
split of its common stock. The common stock will begin trading on a split-adjusted basis on The Nasdaq Capital Market on March 5, 2026.</p>
<p>Item 9.01 Financial Statements and Exhibits.</p><p>SIGNATURES</p><p>Signed by an officer.</p>`;

function filed(parts: Partial<FiledReport> = {}): FiledReport {
  return {
    accession: "0009999999-26-000123",
    items: ["8.01", "9.01"],
    documents: [
      { type: "8-K", file: "qlmr-8k.htm", html: REPORT },
      { type: "EX-99.1", file: "ex99-1.htm", html: EXHIBIT },
    ],
    ...parts,
  };
}

/** The n-th filing of the year, on other items. */
function earnings(n: number): FiledReport {
  return filed({ accession: `0009999999-26-${String(n).padStart(6, "0")}`, items: ["2.02"] });
}

describe("EDGAR", () => {
  it("is read under a mail address, and its exhibit is the release of the wire that its dateline names", async () => {
    const server = await startServer();
    server.filings.push(filed());
    const followed = await follow(server);
    await allRead(followed);
    expect(followed.release("ex99-1.htm")).toMatchObject({
      url: `${server.origin}${folderOf("0009999999-26-000123")}ex99-1.htm`,
      source: "globenewswire",
      heading: "Quillmere Therapeutics Announces 1-for-15 Reverse Stock Split",
      publishedAt: Date.parse("2026-03-02T13:30:15Z"),
      published: "2026-03-02",
      tickers: [{ ticker: "QLMR", exchange: "NASDAQ" }],
      facts: {
        kind: "reverse_split",
        splits: [{ ticker: "QLMR", ratio: { newShares: 1, oldShares: 15 }, exDate: "2026-03-05" }],
      },
    });
    expect(followed.stored.stored.size).toBe(1);
    expect(new Set(server.received.map(({ headers }) => headers["user-agent"]))).toEqual(
      new Set([`splitwatch ${CONTACT}`]),
    );
    expect(followed.source.statuses()[0]).toMatchObject({
      name: "sec",
      condition: "ok",
      problem: null,
      newItemCount: 1,
    });
  });

  it.each([
    { timeIn: "list", publishedAt: "2026-03-02T13:30:15Z" },
    { timeIn: "none", publishedAt: "2026-03-02T14:00:00Z" },
  ] as const)("reads a filing whose time is in: $timeIn", async ({ timeIn, publishedAt }) => {
    const server = await startServer();
    server.filings.push(filed({ timeIn }));
    const followed = await follow(server);
    await allRead(followed);
    const read = followed.release("ex99-1.htm");
    expect(read?.facts?.splits).toMatchObject([{ ticker: "QLMR", exDate: "2026-03-05" }]);
    // Without a stated time, the time of reading.
    const delayMs = (read?.publishedAt ?? 0) - Date.parse(publishedAt);
    expect(delayMs).toBeGreaterThanOrEqual(0);
    expect(delayMs).toBeLessThan(timeIn === "list" ? 1 : MINUTE_MS);
  });

  it("gives a filing that only the search finds, without a time on its index page, the day of the search", async () => {
    const server = await startServer();
    server.searched.push(filed({ timeIn: "list", accepted: "2026-02-27 10:00:00" }));
    const followed = await follow(server);
    await allRead(followed);
    expect(followed.release("ex99-1.htm")).toMatchObject({
      published: "2026-02-27",
      publishedAt: Date.parse("2026-02-27T05:00:00Z"),
    });
  });

  it("gives an exhibit without a wire's dateline the source sec", async () => {
    const server = await startServer();
    server.filings.push(
      filed({ documents: [{ type: "EX-99.1", file: "ex99-1.htm", html: EXHIBIT.replace("(GLOBE NEWSWIRE) ", "") }] }),
    );
    const followed = await follow(server);
    await allRead(followed);
    expect(followed.release("ex99-1.htm")).toMatchObject({ source: "sec", facts: { kind: "reverse_split" } });
  });

  it("is down within two polls while no filing can be read, and up after one was read", async () => {
    const server = await startServer();
    server.break(faults.html(), (path) => path.endsWith("-index.htm"));
    server.filings.push(...[1, 2, 3].map((n) => filed({ accession: `0009999999-26-00000${n}` })));
    const followed = await follow(server);
    const status = () => followed.source.statuses()[0];
    await followed.until("it is down", () => status()?.verdict === "down", 10_000);
    expect(status()).toMatchObject({
      condition: "unreadable",
      unreadDocuments: "3 of 3 documents could not be read",
    });
    expect(server.paths().filter((path) => path.includes("cgi-bin")).length).toBeLessThanOrEqual(4);
    server.break(null);
    await followed.until("it is up", () => status()?.verdict === "up", 10_000);
    expect(followed.release("ex99-1.htm")).toBeDefined();
  });

  it("reads the items of a filing without an exhibit, with the filer's symbol", async () => {
    const server = await startServer();
    server.filer = {
      name: "Quillmere Therapeutics, Inc.",
      tickers: ["QLMR", "QLMRW"],
      exchanges: ["Nasdaq", "Nasdaq"],
    };
    server.filings.push(
      filed({ items: ["3.03", "5.03"], documents: [{ type: "8-K", file: "qlmr-8k.htm", html: REPORT }] }),
    );
    const followed = await follow(server);
    await allRead(followed);
    const release = followed.release("qlmr-8k.htm");
    expect(release).toMatchObject({
      source: "sec",
      heading: "Quillmere Therapeutics, Inc. (NASDAQ: QLMR): Form 8-K, items 3.03, 5.03",
      facts: {
        kind: "reverse_split",
        splits: [{ ticker: "QLMR", exchange: "NASDAQ", ratio: { oldShares: 15 }, exDate: "2026-03-05" }],
      },
    });
    expect(release?.text).toMatch(/^Item 3\.03/);
    expect(release?.text).not.toMatch(/FORM 8-K|SIGNATURES|Signed/);
  });

  it("finds by the search what the latest filings no longer show, and reads each document once", async () => {
    const server = await startServer();
    server.filings.push(filed());
    const evening = filed({ accession: "0009999999-26-000100", accepted: "2026-02-27 17:45:00" });
    server.searched.push(filed(), evening);
    const followed = await follow(server);
    await allRead(followed);
    expect(followed.stored.stored.size).toBe(2);
    expect([...followed.stored.stored.values()].map(({ published }) => published).toSorted()).toEqual([
      "2026-02-27",
      "2026-03-02",
    ]);
    const before = server.paths().filter((path) => path.startsWith("/Archives")).length;
    await followed.clock.advance(HOUR_MS);
    await followed.until(
      "it is polled again",
      () => server.paths().filter((path) => path.includes("cgi-bin")).length > 4,
    );
    expect(server.paths().filter((path) => path.startsWith("/Archives"))).toHaveLength(before);
  });

  it("reads nothing again after a restart", async () => {
    const server = await startServer();
    server.searched.push(filed());
    const first = await follow(server);
    await allRead(first);
    await first.source.stop();
    const before = server.paths().filter((path) => path.startsWith("/Archives")).length;
    const second = await follow(server, { stored: first.stored, clock: first.clock });
    await allRead(second);
    expect(server.paths().filter((path) => path.startsWith("/Archives"))).toHaveLength(before);
  });

  it("finds after a restart a filing of the week that the earlier run did not read", async () => {
    const server = await startServer();
    server.searched.push(filed({ accepted: "2026-03-06 08:30:15" }));
    const first = await follow(server, { clock: new ManualClock("2026-03-06T14:00:00Z") });
    await allRead(first);
    await first.source.stop();
    server.searched.push(
      filed({
        accession: "0009999999-26-000077",
        documents: [{ type: "EX-99.1", file: "ex99-7.htm", html: EXHIBIT }],
      }),
    );
    const second = await follow(server, { stored: first.stored, clock: first.clock });
    await allRead(second);
    expect(second.release("ex99-7.htm")).toMatchObject({ facts: { kind: "reverse_split" } });
  });

  it("keeps no text of a filing that only retells a split", async () => {
    const server = await startServer();
    const html = `<p>Quillmere Therapeutics Reports Fourth Quarter Results</p><p>LAKEFORD, March 2, 2026 - Quillmere Therapeutics, Inc.
(Nasdaq: QLMR) reported revenue of $3 million. All share numbers reflect the 1-for-10 reverse stock split of June 2024.</p>`;
    server.searched.push(filed({ documents: [{ type: "EX-99.1", file: "ex99-1.htm", html }] }));
    const followed = await follow(server);
    await allRead(followed);
    expect(followed.release("ex99-1.htm")).toMatchObject({ source: "sec", text: "" });
  });

  it.each([
    ["an 8-K on other items", { items: ["2.02", "9.01"] }],
    [
      "an 8-K whose exhibits name no split",
      { documents: [{ type: "EX-99.1", file: "a.htm", html: "<p>Earnings</p>" }] },
    ],
  ])("records nothing of %s", async (_, parts) => {
    const server = await startServer();
    server.filings.push(filed(parts));
    const followed = await follow(server);
    await allRead(followed);
    expect(followed.stored.stored.size).toBe(0);
  });

  it("reads the exhibit of a 6-K, which has no items", async () => {
    const server = await startServer();
    server.filings.push(
      filed({ form: "6-K", items: [], documents: [{ type: "EX-99.1", file: "ex99-1.htm", html: EXHIBIT }] }),
    );
    const followed = await follow(server);
    await allRead(followed);
    expect(followed.release("ex99-1.htm")?.facts?.kind).toBe("reverse_split");
  });

  it("reads older pages of the latest filings until it finds a known one, and counts a gap if there is none", async () => {
    const server = await startServer();
    server.filings.push(earnings(1));
    const followed = await follow(server);
    await allRead(followed);
    server.filings.unshift(...Array.from({ length: 120 }, (_, n) => earnings(200 - n)));
    await followed.until("the filings are found", () => followed.source.statuses()[0]?.newItemCount === 121, 10_000);
    expect(followed.source.statuses()[0]).toMatchObject({ gaps: 0 });
    server.filings.unshift(...Array.from({ length: 400 }, (_, n) => earnings(900 - n)));
    await followed.until("the gap is found", () => followed.source.statuses()[0]?.gaps === 1, 10_000);
  });

  it("reads the newest of several filings first, regardless of their form", async () => {
    const server = await startServer();
    const older = filed({ accession: "0009999999-26-000100", accepted: "2026-03-02 08:10:00" });
    const newest = filed({
      accession: "0009999999-26-000090",
      form: "6-K",
      items: [],
      accepted: "2026-03-02 08:40:00",
    });
    server.filings.push(filed(), older, newest);
    await allRead(await follow(server));
    const indexes = server.paths().flatMap((path) => /\/(\d[\d-]+)-index\.htm$/.exec(path)?.[1] ?? []);
    expect(indexes).toEqual(["0009999999-26-000090", "0009999999-26-000123", "0009999999-26-000100"]);
  });

  it("reports a search with more documents than it reads, and repeats it from the same day", async () => {
    const server = await startServer();
    const documents = Array.from({ length: 2_001 }, (_, n) => ({
      type: "EX-99.1",
      file: `ex${n}.htm`,
      html: "reverse stock split",
    }));
    server.searched.push(filed({ items: ["2.02"], documents }));
    const followed = await follow(server);
    const problem = (): string | null | undefined => followed.source.statuses()[0]?.problem;
    const searches = (): readonly URLSearchParams[] =>
      server.received.flatMap(({ path }) =>
        path.includes("search-index") ? [new URL(path, server.origin).searchParams] : [],
      );
    await allRead(followed);
    expect(problem()).toContain("20 pages of 100 documents since 2026-02-23");
    const before = server.received.length;
    await followed.until("the latest filings are read again", () => server.received.length >= before + 2, 10_000);
    expect(searches()).toHaveLength(20);
    expect(problem()).toContain("20 pages");
    server.searched.length = 0;
    await followed.until("the search is repeated", () => problem() === null, 10_000);
    expect(searches().at(-1)?.get("startdt")).toBe("2026-02-23");
    expect(followed.source.statuses()[0]?.faults).toEqual({ "too-large": 1 });
  });

  it("is polled at its interval if the system clock is set back during a poll", async () => {
    const server = await startServer();
    const followed = await follow(server);
    await allRead(followed);
    const answer = server.answer.bind(server);
    server.answer = (request) => {
      followed.clock.jump(-2 * HOUR_MS);
      server.answer = answer;
      return answer(request);
    };
    const searches = (): number => server.paths().filter((path) => path.endsWith("/search-index")).length;
    const [read, searched] = [server.received.length, searches()];
    await followed.until("the lists are read", () => server.received.length > read, 10_000);
    const setBackAt = followed.clock.now();
    await followed.until("the search is repeated", () => searches() > searched, 10_000);
    expect(followed.clock.now() - setBackAt).toBeLessThanOrEqual(12 * MINUTE_MS);
  });

  it("sends at most two requests per second over all hosts", async () => {
    const server = await startServer();
    server.filings.push(filed());
    const followed = await follow(server);
    const startedAt = followed.clock.now();
    await allRead(followed);
    const elapsedMs = followed.clock.now() - startedAt;
    // The first request needs no pause.
    expect(server.received.length - 1).toBeLessThanOrEqual(elapsedMs / 500);
  });
});

const THRESHOLD =
  "<html><head><title>SEC.gov | Request Rate Threshold Exceeded</title></head><body>Undeclared Automated Tool</body></html>";
const UNDECLARED =
  "<html><head><title>SEC.gov | Your Request Originates from an Undeclared Automated Tool</title></head></html>";

describe("EDGAR's faults", () => {
  it.each([
    ["an HTML refusal with 200", faults.body(UNDECLARED, "text/html"), "refusing", "a challenge page"],
    ["403", faults.status(403), "refusing", "answered 403"],
    ["403 for too many requests", faults.status(403, { "content-type": "text/html" }, THRESHOLD), "refusing", "403"],
    ["HTML", faults.html(), "unreadable", "web page"],
    ["500", faults.status(500), "unreachable", "answered 500"],
    ["an endless list", faults.endless(), "unreadable", "larger than 5242880 bytes"],
    [
      "another feed",
      faults.body('<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title></feed>'),
      "unreadable",
      "latest filings",
    ],
  ] as const)("%s is reported", async (_, fault, condition, problem) => {
    const server = await startServer();
    server.break(fault);
    const followed = await follow(server);
    await followed.until("the lists are read", () => followed.source.statuses()[0]?.lastReadAt !== null);
    expect(followed.source.statuses()[0]).toMatchObject({ condition, problem: expect.stringContaining(problem) });
  });

  it("a list without a new filing for a working day is reported", async () => {
    const server = await startServer();
    server.filings.push({ accession: "0009999999-26-000301", items: ["9.01"], documents: [] });
    const followed = await follow(server);
    await followed.until("the filing is found", () => followed.source.statuses()[0]?.newItemCount === 1);
    expect(followed.source.statuses()[0]?.condition).toBe("ok");
    followed.clock.skip(2 * DAY_MS);
    await followed.until("nothing is new", () => followed.source.statuses()[0]?.condition === "stale");
  });

  it("sends no request for ten minutes after too many", async () => {
    const server = await startServer();
    server.break(faults.status(403, { "content-type": "text/html" }, THRESHOLD));
    const followed = await follow(server);
    await followed.until("the lists are read", () => followed.source.statuses()[0]?.lastReadAt !== null);
    const blockedAt = followed.clock.now();
    expect(server.received).toHaveLength(1);
    await followed.until("the block ends", () => server.received.length > 1, 30_000);
    expect(followed.clock.now() - blockedAt).toBeGreaterThanOrEqual(9 * MINUTE_MS);
  });

  it.each([
    ["answered with 500", faults.status(500), "answered 500"],
    ["answered with 404", faults.status(404), "answered 404"],
    ["endless", faults.endless(), "larger than"],
  ])("retries a document that is %s", async (_, fault, problem) => {
    const server = await startServer();
    server.filings.push(filed());
    const followed = await follow(server);
    await followed.until("the lists are read", () => followed.source.hasUntriedPages());
    server.break(fault);
    await followed.until("a document fails", () => followed.log.count("filing read failed") > 0);
    expect(followed.log.text()).toContain(problem);
    server.break(null);
    await followed.until("the document is read", () => followed.release("ex99-1.htm") !== undefined, 10_000);
    expect(followed.release("ex99-1.htm")?.facts?.kind).toBe("reverse_split");
  });
});

async function followReport(
  filerStatus: number,
): Promise<{ readonly server: EdgarServer; readonly followed: Followed }> {
  const server = await startServer();
  server.filerStatus = filerStatus;
  server.filings.push(
    filed({ items: ["3.03", "5.03"], documents: [{ type: "8-K", file: "qlmr-8k.htm", html: REPORT }] }),
  );
  return { server, followed: await follow(server) };
}

describe("the symbol of a filer", () => {
  it.each([429, 500])("is requested again after %i", async (status) => {
    const { server, followed } = await followReport(status);
    await followed.until("the filer can't be read", () => followed.log.count("filing read failed") > 0);
    expect(followed.release("qlmr-8k.htm")).toBeUndefined();
    server.filerStatus = 200;
    await followed.until("the report is read", () => followed.release("qlmr-8k.htm") !== undefined, 10_000);
    expect(followed.release("qlmr-8k.htm")?.tickers).toEqual([{ ticker: "QLMR", exchange: "NASDAQ" }]);
  });

  it("is omitted immediately if there is none", async () => {
    const { followed } = await followReport(404);
    await allRead(followed);
    expect(followed.release("qlmr-8k.htm")).toMatchObject({ tickers: [] });
    expect(followed.log.count("filing read failed")).toBe(0);
  });

  it("is omitted if it can't be read for long", async () => {
    const { followed } = await followReport(500);
    await followed.until("the report is read", () => followed.release("qlmr-8k.htm") !== undefined, 10_000);
    expect(followed.release("qlmr-8k.htm")).toMatchObject({ tickers: [] });
    expect(followed.log.count("filing read failed")).toBe(5);
  });
});

describe("the pace of EDGAR", () => {
  it.each([
    ["2026-03-02T14:00:00Z", 2],
    ["2026-03-02T10:59:00Z", 20],
    ["2026-03-03T02:59:00Z", 2],
    ["2026-03-03T03:00:00Z", 20],
    ["2026-03-07T15:00:00Z", 20],
  ])("at %s is a poll every %i minutes", (time, minutes) => {
    expect(filingsIntervalMs(Date.parse(time), 2 * MINUTE_MS)).toBe(minutes * MINUTE_MS);
  });
});

describe("the setting of EDGAR", () => {
  const settings = { everyMs: 1, origins: { url: "", searchUrl: "", dataUrl: "" } };

  it.each([
    [null, "set SPLITWATCH_CONTACT to a mail address"],
    ["https://example.com/bots", "set SPLITWATCH_CONTACT to a mail address"],
    [CONTACT, null],
  ])("with the contact %s says why it is off", (contact, reason) => {
    expect(sec.offReason(settings, contact)).toBe(reason);
  });

  it("can be switched off", () => {
    expect(sec.offReason({ ...settings, everyMs: null }, CONTACT)).toBe("sources.sec.every is off");
  });
});
