import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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

/** The files of the folder, without the lock, which is a socket. */
function filesIn(dir: string): Readonly<Record<string, string>> {
  const names = readdirSync(dir).filter((name) => !name.startsWith("lock."));
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
