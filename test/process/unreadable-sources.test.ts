import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Card, Overview } from "../../src/chat/web/page/protocol.ts";
import { WIRES } from "../../src/domain/article/wire.ts";
import { MINUTE_MS } from "../../src/domain/time/day.ts";
import { ProcessControl } from "../faults/controlled-process.ts";
import { startReceiver, type WebhookReceiver } from "../platforms/webhook/receiver.ts";
import { faults } from "../support/http-faults.ts";
import { FakeNotices, SPLIT_TITLE, splitBody } from "../support/nasdaqtrader.ts";
import { Processes, type SplitwatchProcess } from "../support/process.ts";
import { type SourceServer, startSourceServer } from "../support/source-server.ts";
import { sourcesOff } from "../support/sources-off.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ask, readMetric, readReadiness } from "../support/web-chat-client.ts";

const SPEED = 30;
const NO_SOURCE = "0 of 2 split sources can be read; no route, DNS or proxy? HTTPS_PROXY is not set";
const SENTENCE = `Splits can't be read now, so answers may be incomplete and alerts late: ${NO_SOURCE}`;
const LINES = ["list", "list when:all", "show ACME", "watch ACME", "subscribe", "calendar", "watchlist"];

const processes = new Processes();
let notices: FakeNotices;
let nasdaq: SourceServer;
let finra: SourceServer;
let receiver: WebhookReceiver;
let control: ProcessControl;
let folder: string;

beforeEach(async () => {
  notices = new FakeNotices();
  for (let number = 901; number < 915; number += 1)
    notices.publish({ number: `2026-${number}`, title: SPLIT_TITLE, body: splitBody({ ticker: "QLMR" }) });
  nasdaq = await startSourceServer((request) => notices.answer(request));
  finra = await startSourceServer(() => ({ status: 204 }));
  receiver = await startReceiver();
  control = new ProcessControl({ speed: SPEED, start: "2026-03-02T15:00:00Z" });
  folder = await mkdtemp(join(tmpdir(), "splitwatch-unreadable-"));
});

afterEach(async () => {
  await processes.endAll();
  await Promise.all([nasdaq.close(), finra.close(), receiver.stop()]);
  await rm(folder, { recursive: true, force: true });
});

async function environment(): Promise<Readonly<Record<string, string>>> {
  const path = join(folder, "settings.yaml");
  const wires = WIRES.map((wire) => `  ${wire}: { feeds: [] }\n`).join("");
  const sources = sourcesOff("nasdaq", "finra");
  const read = `  nasdaq: { every: 1m, url: "${nasdaq.origin}" }\n  finra: { every: 1m, url: "${finra.origin}" }\n`;
  const rules = "[ { events: [stale] } ]";
  const webhook = `webhook: { endpoints: { crm: { url: "${receiver.url}", rules: ${rules} } } }\n`;
  await writeFile(path, `newswires:\n${wires}${sources}${read}${webhook}`);
  return { SPLITWATCH_CONFIG: path, WEBHOOK_SECRETS: `crm=${receiver.secret}` };
}

/** Starts splitwatch with a webhook, two sources and a clock that the test controls. */
async function start(): Promise<{ readonly address: string; readonly splitwatch: SplitwatchProcess }> {
  const env = { ...(await environment()), ...control.env() };
  const splitwatch = processes.start({ cwd: folder, env, onMessage: control.onMessage });
  control.attach(splitwatch);
  return { address: await splitwatch.ready, splitwatch };
}

async function doctor(): Promise<{ readonly code: number | null; readonly out: string }> {
  const check = processes.start({ cwd: folder, args: ["doctor"], env: await environment() });
  const { code } = await check.ended;
  return { code, out: check.out() };
}

async function overview(address: string): Promise<Overview> {
  return (await (await fetch(`${address}/api/overview`)).json()) as Overview;
}

/** The first card of the answer. */
async function answer(address: string, line: string): Promise<Card | undefined> {
  return (await ask(address, "ada", line, { channel: "general" }))[0];
}

function staleAlerts(): readonly string[] {
  return receiver.processed
    .flatMap(({ alerts }) => alerts)
    .filter(({ kind }) => kind === "stale")
    .map(({ title }) => title);
}

it("says on every surface that no source can be read, and recovers everywhere when one can", async () => {
  nasdaq.break(faults.breaksOff());
  finra.break(faults.breaksOff());
  const { address } = await start();
  const startedAt = control.clock.now();

  await waitUntil("the sources were tried", async () => (await readReadiness(address)).checks.sources !== undefined);
  await waitUntil("the splits were polled", async () => (await readReadiness(address)).checks.splits?.ok === true);
  const { ready, checks } = await readReadiness(address);
  expect(control.clock.now() - startedAt).toBeLessThan(5 * MINUTE_MS);
  expect({ ready, ...checks.source }).toEqual({ ready: false, ok: false, detail: `${NO_SOURCE}; none was read yet` });
  expect((await fetch(`${address}/healthz`)).status).toBe(200);

  const status = await answer(address, "status");
  expect(status).toMatchObject({ tone: "bad", title: "Not up to date: splits can't be read" });
  expect(status?.lines[0]).toContain(SENTENCE);
  for (const line of LINES) {
    const card = await answer(address, line);
    expect([line, card?.tone]).not.toEqual([line, "good"]);
    expect([line, card?.lines.at(-1)]).toEqual([line, expect.stringContaining(SENTENCE)]);
    expect(card?.lines.join(" ")).not.toMatch(/list is empty|doesn't list one|no split listed/);
  }
  const { source, sources } = await overview(address);
  expect(source).toMatchObject({ state: "failed", problem: expect.stringContaining(NO_SOURCE) });
  expect(sources.map(({ tone, word }) => [tone, word])).toEqual([
    ["bad", "down"],
    ["bad", "down"],
  ]);
  expect(await readMetric(address, 'splitwatch_source_up{source="nasdaq"}')).toBe(0);
  const { code, out } = await doctor();
  expect(code).toBe(1);
  expect(out).toContain(`FAIL data service: ${NO_SOURCE}; nothing is shown until one is read for the first time`);
  expect(out).toMatch(/^FAIL Nasdaq corporate actions, feed: unreachable/m);

  control.skip(35 * MINUTE_MS);
  await waitUntil("an alert says that the data is outdated", () => staleAlerts().length === 1);
  expect(staleAlerts()[0]).toMatch(/^The data is outdated since /);
  expect(await readMetric(address, "splitwatch_data_age_seconds")).toBeGreaterThan(1_800);

  nasdaq.break(null);
  control.skip(60 * MINUTE_MS);
  await waitUntil("a source is read", async () => (await readReadiness(address)).ready);
  expect((await readReadiness(address)).checks.sources).toEqual({
    ok: true,
    detail: "1 of 2 sources is down: FINRA daily list",
  });
  await waitUntil("an alert says that it is over", () => staleAlerts().length === 2);
  expect(staleAlerts()[1]).toMatch(/^The data is up to date again/);
  expect(await readMetric(address, 'splitwatch_source_up{source="nasdaq"}')).toBe(1);
  expect(await readMetric(address, "splitwatch_data_age_seconds")).toBeLessThan(1_800);
  await waitUntil("the list is shown", async () => (await answer(address, "list when:all"))?.rows.length === 1);
  for (const line of [...LINES, "status"])
    expect((await answer(address, line))?.lines.join(" ")).not.toContain("can't be read");
  expect((await overview(address)).source.state).toBe("fresh");
});

it("says on every surface that a source is down of which no page can be read, and recovers with the pages", async () => {
  notices.broken.set("/TraderNews.aspx", { type: "text/html", body: "<html><body><h1>Sign in</h1></body></html>" });
  const { address, splitwatch } = await start();

  await waitUntil("Nasdaq is down", async () => (await readUp(address)) === 0);
  await waitUntil("the splits were polled", async () => (await readReadiness(address)).ready);
  expect((await readReadiness(address)).checks.sources).toEqual({
    ok: true,
    detail: "1 of 2 sources is down: Nasdaq corporate actions",
  });
  expect(splitwatch.log().find(({ msg }) => msg === "source down")).toMatchObject({
    source: "nasdaq",
    problem: expect.stringMatching(/^(\d+) of \1 documents could not be read: notice ECA2026-9\d\d: /),
  });
  const state = (await overview(address)).sources.find(({ name }) => name === "Nasdaq corporate actions");
  expect(state).toMatchObject({
    tone: "bad",
    word: "down",
    problem: expect.stringMatching(/(\d+) of \1 documents could not be read/),
  });
  const cards = await ask(address, "ada", "status", { channel: "general" });
  expect(cards[1]).toMatchObject({ tone: "warning", title: "1 of 2 sources can be read" });
  const { code, out } = await doctor();
  expect(code).toBe(1);
  expect(out).toMatch(/^ok {3}data service: embedded, 1 of 2 split sources OK$/m);
  expect(out).toMatch(/^FAIL Nasdaq corporate actions, notice ECA2026-914: unreadable answer/m);

  notices.broken.clear();
  control.skip(60 * MINUTE_MS);
  await waitUntil("Nasdaq is up", async () => (await readUp(address)) === 1);
  await waitUntil("the split is listed", async () => (await answer(address, "list when:all"))?.rows.length === 1);
  expect((await doctor()).code).toBe(0);
});

function readUp(address: string): Promise<number> {
  return readMetric(address, 'splitwatch_source_up{source="nasdaq"}').catch(() => Number.NaN);
}
