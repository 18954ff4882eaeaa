import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anObservation } from "../../test/support/observations.ts";
import { anInvocation } from "../../test/support/recorded-invocation.ts";
import { aRelease } from "../../test/support/releases.ts";
import { systemClock } from "../lib/clock.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import { configuredStore } from "../store/index.ts";
import { run } from "./run.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "splitwatch-coverage-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A store with ACME from a release and from Nasdaq, and BETA from Nasdaq alone. */
async function openStore(): Promise<Store> {
  const store = await configuredStore({ dataDir: join(folder, "data") }).open({ clock: systemClock, log: SILENT_LOG });
  await store.releases.put([aRelease({ url: "https://wire.example/acme" })]);
  await store.releases.put([
    aRelease({
      url: "https://wire.example/gamma",
      facts: { splits: [{ ticker: "GAMA", company: "Gamma Mills Inc." }] },
    }),
  ]);
  await store.observations.put([anObservation({ issuedOn: "2026-02-27", ratio: "1:25" })]);
  await store.observations.put([
    anObservation({
      id: "2026-102",
      url: "https://exchange.example/alerts/2026-102",
      listings: ["NASDAQ: BETA"],
      company: "Beta Corp.",
      exDate: "2026-03-20",
    }),
  ]);
  return store;
}

async function report(...args: readonly string[]): Promise<{ code: number; lines: string[]; problems: string[] }> {
  const invocation = anInvocation(folder, { DATA_DIR: join(folder, "data") });
  const code = await run(["coverage", ...args], invocation);
  return { code, lines: invocation.printed, problems: invocation.problems };
}

async function withFile(name: string, content: string, ...args: readonly string[]): ReturnType<typeof report> {
  await (await openStore()).close();
  writeFileSync(join(folder, name), content);
  return report("--month", "2026-03", "--file", name, ...args);
}

/** The files of the folder, without the lock, which is a socket, and the shared memory, in which SQLite marks its readers. */
function filesIn(dir: string): Readonly<Record<string, string>> {
  const names = readdirSync(dir).filter((name) => !name.startsWith("lock.") && !name.endsWith("-shm"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(dir, name), "utf8")]));
}

describe("splitwatch coverage", () => {
  it("prints a report without changes while another process uses the folder", async () => {
    const store = await openStore();
    const before = filesIn(join(folder, "data"));
    const { code, lines, problems } = await report("--month", "2026-03");
    expect(filesIn(join(folder, "data"))).toEqual(before);
    await store.close();
    expect({ code, problems }).toEqual({ code: 0, problems: [] });
    expect(lines).toEqual([
      "Coverage of 2026-03, by ex date",
      "",
      "NASDAQ by the list of nasdaq: 2 splits",
      "  all    recall 100.0 % (2 of 2); equal ratio 100.0 % (2 of 2), equal ex date 100.0 % (2 of 2), equal exchange 100.0 % (2 of 2)",
      "         lead median 344.5 h, worst decile 260.5 h; first: nasdaq 2",
      "  others recall 50.0 % (1 of 2); equal ratio 0.0 % (0 of 1), equal ex date 100.0 % (1 of 1), equal exchange 100.0 % (1 of 1)",
      "         lead median 188.5 h, worst decile 188.5 h; first: globenewswire 1",
      "  missed by others: BETA 1:20 on 2026-03-20: no source states it (https://exchange.example/alerts/2026-102)",
      "  differs, others: ACME 1:25 on 2026-03-10: ratio 1:25 in the list, 1:20 in the catalog (https://exchange.example/alerts/2026-101)",
      "  extra: NASDAQ:GAMA 1:20 on 2026-03-10, stated by globenewswire (https://wire.example/gamma)",
      "",
      "OTC by the list of finra: not compared: no observation of finra is stored",
      "",
      "NYSE, NYSEAMERICAN, NYSEARCA by the list of nyse: not compared: no observation of nyse is stored",
      "",
      "CSE by the list of cse: not compared: no observation of cse is stored",
      "",
      "TSXV by the list of tsxv: not compared: no observation of tsxv is stored",
      "",
      expect.stringMatching(/^Recall: /),
      expect.stringMatching(/^Lead: /),
    ]);
  });

  describe("with a saved calendar", () => {
    const NASDAQ_CALENDAR = {
      data: {
        rows: [
          { symbol: "ACME", name: "Acme Robotics", ratio: "1 : 20", executionDate: "3/10/2026", announcedDate: "N/A" },
          { symbol: "QLMR", name: "Quillmere", ratio: "1 : 25", executionDate: "3/12/2026", announcedDate: "3/2/2026" },
          { symbol: "SBE", name: "Saltburn", ratio: "4 : 1", executionDate: "3/12/2026", announcedDate: "N/A" },
          { symbol: "TBK", name: "Tarnbeck", ratio: "5%", executionDate: "3/12/2026", announcedDate: "N/A" },
          { symbol: "GRSM", name: "Grasmoor", ratio: "1 : 10", executionDate: "4/2/2026", announcedDate: "N/A" },
          { symbol: "BRM", name: "Brackenrig", ratio: "N/A", executionDate: "3/12/2026", announcedDate: "N/A" },
        ],
      },
      status: { rCode: 200 },
    };
    const FOUND =
      "  all    recall 50.0 % (1 of 2); equal ratio 0.0 % (0 of 1), equal ex date 100.0 % (1 of 1), equal exchange 100.0 % (1 of 1)";

    it("compares the splits of the month, counts skipped rows and names unreadable ones", async () => {
      const { code, lines } = await withFile("calendar.json", JSON.stringify(NASDAQ_CALENDAR));
      expect(code).toBe(0);
      const start = lines.indexOf("All exchanges by calendar.json: 2 splits; 1 in other months");
      expect(lines.slice(start, start + 9)).toEqual([
        "All exchanges by calendar.json: 2 splits; 1 in other months",
        "  skipped: 2 forward splits and stock dividends",
        expect.stringMatching(/^ {2}unreadable: row 6: got ".*BRM/),
        FOUND,
        expect.stringMatching(/^ {9}lead median/),
        "  missed: QLMR 1:25 on 2026-03-12: no source states it (calendar.json:2)",
        "  differs: ACME 1:20 on 2026-03-10: ratio 1:20 in the list, 1:25 in the catalog (calendar.json:1)",
        expect.stringMatching(/^ {2}extra: NASDAQ:GAMA/),
        expect.stringMatching(/^ {2}extra: NASDAQ:BETA/),
      ]);
    });

    it("adds the comparison to the JSON document", async () => {
      const { lines } = await withFile("calendar.json", JSON.stringify(NASDAQ_CALENDAR), "--json");
      const { file } = JSON.parse(lines[0] ?? "") as { file: unknown };
      expect(file).toMatchObject({
        name: "calendar.json",
        splits: 2,
        skipped: 2,
        unreadable: [expect.stringMatching(/^row 6: got /)],
        all: { found: 1, missed: [{ ticker: "QLMR", ratio: "1:25", url: "calendar.json:2" }] },
        extra: [{ ticker: "GAMA" }, { ticker: "BETA" }],
      });
    });

    it.each<[string, string]>([
      ["commas and headings", "Date,Symbol,Ratio\n2026-03-10,ACME,1:20\n2026-03-12,QLMR,1:25\n"],
      [
        "headings in another order",
        "Ratio;Company;Ticker;Ex-Date\n1 for 20;Acme, Inc.;ACME;03/10/2026\n1-for-25;Q;QLMR;3/12/2026",
      ],
      ["no headings", "2026-03-10,ACME,1:20\n2026-03-12,QLMR,1:25"],
      ["no headings, in another order", "ACME\t1-20\tMar 10, 2026\r\nQLMR\t1-25\tMar 12, 2026\r\n"],
      ["bars and exchanges", "|symbol|date|ratio|\n|NASDAQ: ACME|2026-03-10|1/20|\n|QLMR|2026-03-12|1 : 25|"],
      [
        "ratios in words",
        '"Symbol","Split Ratio","Split Date"\nACME,20-for-1 reverse split,2026-03-10\nQLMR,one-for-25,2026-03-12',
      ],
      ["a list of answers", JSON.stringify([NASDAQ_CALENDAR, { data: null }])],
    ])("reads a file with %s", async (_, content) => {
      const { code, lines, problems } = await withFile("splits.csv", content);
      expect({ code, problems }).toEqual({ code: 0, problems: [] });
      expect(lines).toContain(FOUND);
    });

    it("names the lines of a CSV that can't be read", async () => {
      const { lines } = await withFile(
        "a.csv",
        "date,symbol,ratio\n2026-03-10,ACME,1:20\nsoon,QLMR,1:25\n\n2026-03-12,QLMR,many\n",
      );
      expect(lines.filter((line) => line.includes("unreadable"))).toEqual([
        '  unreadable: line 3: got "soon QLMR 1:25"',
        '  unreadable: line 5: got "2026-03-12 QLMR many"',
      ]);
    });

    it("says that the file has no splits", async () => {
      const { code, lines } = await withFile("a.json", '{"data":null,"status":{"rCode":200}}');
      expect(code).toBe(0);
      expect(lines).toContain("All exchanges by a.json: 0 splits");
    });

    it.each([
      [
        "",
        "can't be used: got an empty file, expected Nasdaq's calendar as JSON, or a CSV with date, symbol and ratio in each line",
      ],
      ['{"data":{"rows":[', "can't be used: got incomplete JSON, expected Nasdaq's calendar as JSON"],
      ['{"error":"x"}', "can't be used: got another JSON, expected Nasdaq's calendar as JSON"],
      ["<html><body>Sign in</body></html>", "can't be used: line 1: got \"<html>"],
      ["%PDF-1.4 binary", "can't be used: line 1: got \"%PDF"],
    ])("refuses a file with %j", async (content, problem) => {
      const { code, lines, problems } = await withFile("a.csv", content);
      expect({ code, lines }).toEqual({ code: 2, lines: [] });
      expect(problems).toEqual([expect.stringContaining(`splitwatch: --file: "a.csv" ${problem}`)]);
    });

    it.each([
      ["missing.csv", "doesn't exist"],
      [".", "is a folder"],
    ])("refuses %s", async (name, problem) => {
      const { code, problems } = await report("--month", "2026-03", "--file", name);
      expect({ code, problems }).toEqual({ code: 2, problems: [`splitwatch: --file: "${name}" ${problem}`] });
    });
  });

  it("prints one JSON document with --json", async () => {
    await (await openStore()).close();
    const { code, lines } = await report("--month", "2026-03", "--json");
    expect({ code, count: lines.length }).toEqual({ code: 0, count: 1 });
    const { month, lists, uncompared } = JSON.parse(lines[0] ?? "") as {
      month: string;
      lists: unknown[];
      uncompared: unknown;
    };
    expect({ month, uncompared }).toEqual({ month: "2026-03", uncompared: {} });
    expect(lists[0]).toMatchObject({
      source: "nasdaq",
      exchanges: ["NASDAQ"],
      problem: null,
      read_since: null,
      splits: 2,
      all: {
        found: 2,
        recall: 1,
        missed: [],
        equal_ratio: { equal: 2, compared: 2, share: 1 },
        first_sources: { nasdaq: 2 },
      },
      others: {
        found: 1,
        recall: 0.5,
        equal_ratio: { equal: 0, compared: 1, share: 0 },
        missed: [{ ticker: "BETA", ratio: "1:20", ex_date: "2026-03-20", lacks: null }],
        differences: [{ ticker: "ACME", field: "ratio", listed: "1:25", catalog: "1:20" }],
        lead_hours: { median: expect.closeTo(188.48, 1), worst_decile: expect.closeTo(188.48, 1) },
      },
      extra: [{ ticker: "GAMA", exchange: "NASDAQ", ratio: "1:20", sources: ["globenewswire"] }],
    });
    expect(lists[1]).toEqual({
      source: "finra",
      exchanges: ["OTC"],
      problem: "no observation of finra is stored",
    });
  });

  it("fails without a state", async () => {
    expect(await report("--month", "2026-03")).toMatchObject({
      code: 2,
      lines: [],
      problems: [expect.stringMatching(/^splitwatch: DATA_DIR: got .*, which contains no splitwatch data/)],
    });
  });
});
