import { afterEach, describe, expect, it } from "vitest";
import { ticker } from "../../../test/support/builders.ts";
import { faults } from "../../../test/support/http-faults.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { recordedLog } from "../../../test/support/recorded-log.ts";
import { MemoryObservations, MemoryReleases } from "../../../test/support/source-records.ts";
import { type SourceServer, startSourceServer } from "../../../test/support/source-server.ts";
import { OTHER, TRADED } from "../../../test/support/symbol-directories.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/day.ts";
import { observationKey, releaseKey } from "../../ports/store.ts";
import { openRecordCache } from "../record-cache.ts";
import { createSymbolTable } from "../symbol-table.ts";
import { createHostQueue } from "../web/host-queue.ts";
import type { WebAnswer } from "../web/web.ts";
import { symbols } from "./index.ts";
import { readSymbolFile } from "./symbol-file.ts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A server with both directories, which answers 304 if they are unchanged. */
async function startServer(traded = TRADED): Promise<SourceServer> {
  const server = await startSourceServer(({ path, headers }) => {
    if (headers["if-none-match"] === '"1"') return { status: 304 };
    const body = { "/dynamic/SymDir/nasdaqtraded.txt": traded, "/dynamic/SymDir/otherlisted.txt": OTHER }[path];
    return body === undefined ? { status: 404 } : { type: "text/plain", headers: { etag: '"1"' }, body };
  });
  closers.push(() => server.close());
  return server;
}

async function follow({ origin }: SourceServer) {
  const clock = new ManualClock();
  const table = createSymbolTable();
  const settings = { everyMs: DAY_MS, origins: { url: origin } };
  const source = await symbols.open(settings, {
    clock,
    log: recordedLog(),
    queue: createHostQueue(clock),
    version: "0.0.0",
    contact: null,
    releases: await openRecordCache(new MemoryReleases(), releaseKey),
    observations: await openRecordCache(new MemoryObservations(), observationKey),
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
  return { source, table, until, isRead };
}

describe("the symbol directories", () => {
  it("state company and exchange of the listed shares", async () => {
    const { table, until, isRead, source } = await follow(await startServer());
    await until("the directories are read", isRead);
    const find = (symbol: string) => table.find(ticker(symbol));
    expect(find("QLMR")).toEqual({ company: "Quillmere Therapeutics, Inc.", exchange: "NASDAQ" });
    expect(find("HRB.A")).toEqual({ company: "Harbor Mills Company", exchange: "NYSE" });
    expect(find("OTHR")).toEqual({ company: "Other Harbor Inc.", exchange: "NYSEARCA" });
    // The directory of all exchanges takes precedence.
    expect(find("BRVL")).toEqual({ company: "Brandvale Lithium Corp.", exchange: "NYSEAMERICAN" });
    expect([find("QLMRW"), find("ZZTST"), find("NONE")]).toEqual([null, null, null]);
    expect(source.statuses()[0]).toMatchObject({ name: "symbols", condition: "ok", itemCount: 4 });
  });

  it("are requested once a day, and not transferred again if they are unchanged", async () => {
    const server = await startServer();
    const { table, until, isRead } = await follow(server);
    await until("the directories are read", isRead);
    const before = server.received.length;
    expect(before).toBe(2);
    await until("they are requested again", () => server.received.length === 4, HOUR_MS);
    expect(server.received.slice(2).map(({ headers }) => headers["if-none-match"])).toEqual(['"1"', '"1"']);
    expect(table.find(ticker("QLMR"))).not.toBeNull();
  });

  it.each([
    ["a web page", faults.html(), "unreadable"],
    [
      "a file without its last line",
      faults.body(TRADED.split("\r\n").slice(0, 3).join("\r\n"), "text/plain"),
      "unreadable",
    ],
    ["403", faults.status(403), "refusing"],
    ["500", faults.status(500), "unreachable"],
  ] as const)("report %s, and are read later", async (_, fault, condition) => {
    const server = await startServer();
    server.break(fault);
    const { source, table, until, isRead } = await follow(server);
    await until("the directories are tried", isRead);
    expect(source.statuses()[0]).toMatchObject({ condition });
    server.break(null);
    await until("they are read", () => table.find(ticker("QLMR")) !== null, HOUR_MS / 4);
  });

  it("are parsed in slices, so that other work goes on in between", async () => {
    const lines = TRADED.split("\r\n");
    const long = [lines[0], ...Array.from({ length: 13_000 }, (_, n) => rowOf(n)), ...lines.slice(1)].join("\r\n");
    let turns = 0;
    let next: NodeJS.Immediate | undefined;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    count();
    const read = await readSymbolFile(answerOf(long));
    clearImmediate(next);
    expect(read.size).toBeGreaterThan(13_000);
    expect(turns).toBeGreaterThan(20);
  });
});

function rowOf(n: number): string {
  return `Y|A${n.toString(36)}|Company ${n} - Common Stock|Q|S|N|100|N|N||X|N`;
}

function answerOf(text: string): WebAnswer {
  const url = new URL("https://directory.example/nasdaqtraded.txt");
  return { status: 200, body: Buffer.from(text), header: () => null, headers: () => [], url };
}
