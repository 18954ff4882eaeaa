import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { WIRES, type Wire } from "../../../src/domain/article/wire.ts";
import { DAY_MS, HOUR_MS } from "../../../src/domain/time/day.ts";
import type { OperatorOverview } from "../../../src/messages/operator-view.ts";
import { ProcessControl } from "../../faults/controlled-process.ts";
import { type FakeWire, startFakeWire } from "../../newswires/fake-wire.ts";
import { stopGracefully } from "../../support/polling-process.ts";
import { Processes, type SplitwatchProcess } from "../../support/process.ts";
import { type SourceServer, startSourceServer } from "../../support/source-server.ts";
import { sourcesOff } from "../../support/sources-off.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ask, readMetric } from "../../support/web-chat-client.ts";

const SPEED = 20;
/** CPU time of the program's main thread between a request and its answer. */
const MAX_ANSWER_CPU_MS = 100;
const PROBE_INTERVAL_MS = 20;
/** Longer than a busy machine takes for the pages of all wires. */
const LISTED_TIMEOUT_MS = 120_000;

/** Rules whose wildcards match every part of a long address. */
const WILDCARDS = Array.from({ length: 2_450 }, (_, n) => `Disallow: /${"*a".repeat(96)}*${n}`).join("\n");
/** Links of the longest accepted length. */
const LONG_ID = "a".repeat(1_900);
/** Longer than a link: the address of a redirect. */
const LONG_PATH = `/${"a".repeat(15_000)}`;
const QUARANTINE = "splitwatch_quarantined_documents";

const processes = new Processes();
let wires: Readonly<Record<Wire, FakeWire>>;
let issuers: SourceServer;
let control: ProcessControl;
let folder: string;
let env: Readonly<Record<string, string>>;

beforeEach(async () => {
  wires = Object.fromEntries(
    await Promise.all(WIRES.map(async (wire) => [wire, await startFakeWire(wire)] as const)),
  ) as typeof wires;
  issuers = await startSourceServer(() => ({ type: "text/xml", body: `<!DOCTYPE ${"a".repeat(100_000)}` }));
  control = new ProcessControl({ speed: SPEED, start: "2026-03-02T15:00:00Z" });
  folder = await mkdtemp(join(tmpdir(), "splitwatch-hostile-"));
  const settings = join(folder, "settings.yaml");
  const feeds = WIRES.map((wire) => `  ${wire}: { every: 10s, feeds: ["${wires[wire].feed}"] }\n`).join("");
  const custom = `  feeds: [{ name: issuers, url: "${issuers.origin}/feed", every: 10s }]\n`;
  await writeFile(settings, `service: { source: wires }\nnewswires:\n${feeds}${custom}${sourcesOff()}`);
  env = { SPLITWATCH_CONFIG: settings };
});

afterEach(async () => {
  await processes.endAll();
  await Promise.all([...Object.values(wires).map((wire) => wire.close()), issuers.close()]);
  await rm(folder, { recursive: true, force: true });
});

interface Started {
  readonly address: string;
  readonly splitwatch: SplitwatchProcess;
}

async function start(): Promise<Started> {
  const splitwatch = processes.start({ cwd: folder, env: { ...env, ...control.env() }, onMessage: control.onMessage });
  control.attach(splitwatch);
  return { address: await splitwatch.ready, splitwatch };
}

/** CPU time of the process's main thread in milliseconds; null if the system doesn't state it. */
function mainThreadCpuMs(pid: number): number | null {
  const path = `/proc/${pid}/task/${pid}/schedstat`;
  return existsSync(path) ? Number(readFileSync(path, "latin1").split(" ")[0]) / 1e6 : null;
}

/** Asks for the health all the time. `stop` returns the longest CPU time that an answer took. */
function watchHealth(address: string, { pid }: SplitwatchProcess): { readonly stop: () => Promise<number> } {
  const stopping = new AbortController();
  let longestMs = 0;
  const probing = (async () => {
    while (!stopping.signal.aborted) {
      const startMs = mainThreadCpuMs(pid);
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
      longestMs = Math.max(longestMs, (mainThreadCpuMs(pid) ?? 0) - (startMs ?? 0));
      await pause(PROBE_INTERVAL_MS);
    }
  })();
  // Handled by `stop`, unless the test has failed before.
  probing.catch(() => undefined);
  return {
    async stop() {
      stopping.abort();
      await probing;
      return longestMs;
    },
  };
}

function publish(wire: Wire, ticker: string, parts: { readonly id?: string; readonly body?: string } = {}): void {
  const company = `${ticker} Robotics, Inc.`;
  wires[wire].publish({
    id: "1001",
    company,
    tag: `Nasdaq:${ticker}`,
    heading: `${company} Announces 1-for-20 Reverse Stock Split`,
    teaser: `${company} (Nasdaq: ${ticker}) today announced a 1-for-20 reverse stock split of its common stock.`,
    body: DAY_OF_SPLIT,
    ...parts,
  });
}

const DAY_OF_SPLIT = "<p>The stock will begin trading on a split-adjusted basis on March 9, 2026.</p>";

/** All releases of the wire lead to an address whose robots rules take much longer to check than the deadline. */
function redirectToSlowRules(wire: Wire, host: Wire): void {
  wires[host].robots(`User-agent: *\n${WILDCARDS}`);
  wires[wire].break("page", (_, response) => {
    response.writeHead(302, { location: wires[host].address + LONG_PATH }).end();
  });
}

/** Whether the splits of all these tickers are listed. */
async function areListed(address: string, ...tickers: readonly string[]): Promise<boolean> {
  const cards = JSON.stringify(await ask(address, "ada", "list when:all"));
  return tickers.every((ticker) => cards.includes(ticker));
}

function pageRequests(wire: Wire): number {
  return wires[wire].received.filter(({ target }) => target === "page").length;
}

function quarantines({ splitwatch }: Started): readonly unknown[] {
  return splitwatch.log().filter(({ msg }) => msg === "document quarantined");
}

async function untilQuarantined(started: Started): Promise<void> {
  await waitUntil("the rules are quarantined", () => quarantines(started).length === 1, 180_000);
}

it("answers while hostile documents are read, and quarantines the one that takes too long until it changes", async () => {
  const spaces = `<pre>${DAY_OF_SPLIT}\nread next${" ".repeat(400_000)}x</pre>`;
  publish("prnewswire", "ALFQ", { body: spaces });
  wires.businesswire.robots(`User-agent: *\n${WILDCARDS}`);
  publish("businesswire", "BRVQ", { id: LONG_ID });
  publish("globenewswire", "CHLQ");
  redirectToSlowRules("globenewswire", "newsfile");
  const first = await start();
  const health = watchHealth(first.address, first.splitwatch);

  await untilQuarantined(first);
  publish("accesswire", "DLTQ");
  await waitUntil(
    "the other releases are read",
    () => areListed(first.address, "ALFQ", "BRVQ", "DLTQ"),
    LISTED_TIMEOUT_MS,
  );
  await waitUntil("the feed is refused and requested again", () => issuers.received.length > 1);
  expect(await health.stop()).toBeLessThan(MAX_ANSWER_CPU_MS);

  const url = `${wires.newsfile.address}/robots.txt`;
  const reason = "took more than 5 s of CPU time";
  expect(quarantines(first)).toMatchObject([{ url, reason }]);
  await expectShown(first.address, `/robots.txt: quarantined since 2026-03-02`);

  await stopGracefully(first.splitwatch);
  const requested = pageRequests("globenewswire");
  const second = await start();
  control.skip(DAY_MS / 2);
  await waitUntil("the page is requested again", () => pageRequests("globenewswire") > requested, LISTED_TIMEOUT_MS);
  publish("accesswire", "ECHQ", { id: "1002" });
  await waitUntil("a later release is read", () => areListed(second.address, "ECHQ"), LISTED_TIMEOUT_MS);
  expect(quarantines(second)).toEqual([]);
  await expectShown(second.address, `/robots.txt: quarantined since 2026-03-02`);

  wires.newsfile.robots("User-agent: *\nDisallow: /private");
  control.skip(DAY_MS + HOUR_MS);
  await waitUntil("the rules are read", async () => (await readMetric(second.address, QUARANTINE)) === 0);
});

it("stops while a document is read, and reads a quarantined document again after a rebuild", async () => {
  publish("globenewswire", "CHLQ");
  redirectToSlowRules("globenewswire", "newsfile");
  const stopped = await start();
  await waitUntil("the page is requested", () => pageRequests("globenewswire") > 0);
  await stopGracefully(stopped.splitwatch);
  expect(quarantines(stopped)).toEqual([]);

  const first = await start();
  control.skip(DAY_MS / 2);
  await untilQuarantined(first);
  await stopGracefully(first.splitwatch);
  const rebuild = processes.start({ cwd: folder, args: ["rebuild"], env });
  expect(await rebuild.ended).toMatchObject({ code: 0 });

  const second = await start();
  control.skip(DAY_MS / 2);
  await untilQuarantined(second);
});

/** Expects the one quarantined document in `status`, the metrics and the operator's view. */
async function expectShown(address: string, text: string): Promise<void> {
  const [status] = await ask(address, "ada", "status");
  expect(status?.lines.join(" ")).toContain(
    "1 document is quarantined: reading takes too much time or memory until it changes.",
  );
  expect(JSON.stringify(status?.rows)).toContain(text);
  expect(await readMetric(address, QUARANTINE)).toBe(1);
  const { quarantined } = (await (await fetch(`${address}/api/operator/overview`)).json()) as OperatorOverview;
  expect(quarantined).toMatchObject({
    total: 1,
    records: [{ kind: "document", reason: expect.stringContaining(text) }],
  });
}
