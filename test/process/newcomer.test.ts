import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Card, OverviewAnswer } from "../../src/chat/web/page/protocol.ts";
import { Processes, type SplitwatchProcess } from "../support/process.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ask, readMetric, readReadiness } from "../support/web-chat-client.ts";

/** The program of `npm start` as in a fresh clone, with a free port as the only setting. */
const processes = new Processes();
let folder = "";
let first: SplitwatchProcess;
let address = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "splitwatch-newcomer-"));
  first = processes.start({ cwd: folder });
  address = await first.ready;
  await waitUntil("the sample is polled", async () => (await readReadiness(address)).checks.splits?.ok === true);
  // The first subscription starts the sample's story, which replaces the data. The tests see the data after that.
  const { readAt } = (await overview()).source;
  const started = first.nextLog("sample story started");
  await ask(address, "early", "watch ACME", { channel: "general" });
  await started;
  await waitUntil("the splits of the story are read", async () => (await overview()).source.readAt !== readAt);
});

afterAll(async () => {
  await processes.endAll();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a process in its own folder. */
async function startElsewhere(): Promise<{ splitwatch: SplitwatchProcess; cwd: string }> {
  const cwd = await mkdtemp(join(tmpdir(), "splitwatch-newcomer-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const splitwatch = processes.start({ cwd });
  onTestFinished(async () => void (await splitwatch.kill()));
  await splitwatch.ready;
  return { splitwatch, cwd };
}

/** CPU time in seconds of a process that starts Node and does nothing. */
async function emptyProcessSeconds(): Promise<number> {
  const program = "const { user, system } = process.cpuUsage(); console.log((user + system) / 1_000_000)";
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", program]);
  return Number(stdout);
}

function request(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${address}${path}`, { ...init, signal: AbortSignal.timeout(60_000) });
}

async function overview(): Promise<OverviewAnswer> {
  return (await (await request("/api/overview")).json()) as OverviewAnswer;
}

async function someTicker(): Promise<string> {
  return (await overview()).splits[0]?.ticker ?? "no split is listed";
}

const LINES = [
  ["help", /^splitwatch alerts you/],
  ["list", /\d+ .*splits/],
  ["list when:all exchange:NASDAQ", /splits? /],
  ["show TICKER", /^TICKER 1-for-/],
  ["articles", /press releases/],
  ["watch TICKER", /^You now watch TICKER$/],
  ["watchlist", /^You watch 1 ticker$/],
  ["unwatch TICKER", /^You no longer watch TICKER$/],
  ["subscribe", /^Rule 1 is set for this channel$/],
  ["subscriptions", /^This channel has 1 rule$/],
  ["test", /^The test card was delivered$/],
  ["why TICKER", /TICKER/],
  ["unsubscribe 1", /^Rule 1 was removed$/],
] as const;

const BAD_LINES = [
  "lst",
  "show",
  "show THISISNOTATICKER",
  "list when:someday",
  "list exchange:NASDQ",
  "articles from:2026-02-30",
  "articles from:2026-03-02 to:2026-03-01",
  "articles source:reuters",
  "watch",
  "subscribe minratio:cheap",
  "subscribe events:birthday",
  "unsubscribe first",
  "why",
  `watch ${"A".repeat(9_000)}`,
];

describe("a new user after npm start", () => {
  it("sees the address after little work", async () => {
    const { splitwatch } = await startElsewhere();
    const seconds = await readMetric(await splitwatch.ready, "process_cpu_seconds_total");
    expect(seconds).toBeLessThan(100 * (await emptyProcessSeconds()));
  });

  it("opens the page at the printed address", async () => {
    const page = await request("/");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    const html = await page.text();
    const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
    expect(assets.length).toBeGreaterThan(1);
    const loaded = await Promise.all(assets.map(async (path) => (await request(path)).status));
    expect(loaded).toEqual(assets.map(() => 200));

    const said = first.out();
    expect(said).toMatch(/^splitwatch \d+\.\d+\.\d+ is running/);
    expect(said).toMatch(/^Web chat: +http:\/\/127\.0\.0\.1:\d+\/$/m);
    // The missing network is stated once, in two lines.
    expect(said.split("\n").filter((line) => /sample|no source/.test(line))).toEqual([
      expect.stringMatching(/^Splits from: +sample data \(invented companies\): no source is reachable yet\./),
      expect.stringMatching(/^Next: +run `npx splitwatch doctor` to see why no source can be read$/),
    ]);
    expect(said).toContain(join(folder, "data"));
    expect(await readdir(folder)).toEqual(["data"]);
    expect((await stat(join(folder, "data"))).mode & 0o077).toBe(0);
  });

  it.each(LINES)("gets an answer to %j", async (line, title) => {
    const ticker = await someTicker();
    const named = (text: string): string => text.replaceAll("TICKER", ticker);
    const [card] = await ask(address, "newcomer", named(line), { channel: "general" });
    expect(card?.tone).not.toBe("bad");
    expect(card?.title).toMatch(new RegExp(named(title.source)));
  });

  it("sees that the sample data isn't up to date, and why, while no source can be read", async () => {
    const [card] = await ask(address, "newcomer", "status", { channel: "general" });
    expect(card).toMatchObject({ tone: "bad", title: "Not up to date: splits can't be read", badges: ["SAMPLE"] });
    expect(card?.lines[0]).toMatch(
      /0 of 10 split sources can be read; no route, DNS or proxy\? HTTPS_PROXY is not set/,
    );
    expect((await request("/readyz")).status).toBe(503);
  });

  it.each(["help", "list", "show TICKER", "articles", "status"])("can use the buttons of %j", async (line) => {
    const asked = line.replace("TICKER", await someTicker());
    const cards = await ask(address, "presser", asked, { channel: "general" });
    const commands = cards.flatMap(({ buttons }) => buttons.map(({ command }) => command));
    const answers = await Promise.all(
      commands.map((command) => ask(address, "presser", command, { channel: "general" })),
    );
    expect(commands.filter((command, index) => command !== "status" && answers[index]?.[0]?.tone === "bad")).toEqual(
      [],
    );
  });

  it.each(BAD_LINES)("sees the problem with %j and a working example", async (line) => {
    const [card] = await ask(address, "hasty", line, { channel: "general" });
    expect(card).toMatchObject({ tone: "bad" });
    const example = exampleIn(card);
    const [answer] = await ask(address, "learned", example, { channel: "elsewhere" });
    expect(answer?.tone).not.toBe("bad");
  });

  it.each([
    { why: "no JSON", body: "{", status: 400 },
    { why: "no name", body: JSON.stringify({ line: "list" }), status: 400 },
    { why: "no line", body: JSON.stringify({ name: "hasty" }), status: 400 },
    { why: "an odd name", body: JSON.stringify({ name: "a b/c", line: "list" }), status: 400 },
    { why: "far too much", body: JSON.stringify({ name: "hasty", line: "x".repeat(50_000) }), status: 413 },
    { why: "another type", body: "line=list", type: "application/x-www-form-urlencoded", status: 415 },
  ])("gets an explanation if the request has $why", async ({ body, type = "application/json", status }) => {
    const answer = await request("/api/command", { method: "POST", headers: { "content-type": type }, body });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    expect(await answer.json()).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) });
  });

  it("cannot start a second process, which exits and names the first", async () => {
    const second = processes.start({ cwd: folder });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.stderrOutsideLog()).toEqual([
      expect.stringContaining(`${join(folder, "data")} is in use by another splitwatch`),
    ]);
    expect(second.stderrOutsideLog()[0]).toContain(`pid ${first.pid}`);
    expect((await request("/healthz")).status).toBe(200);
  });

  it("can stop it with the page open and finds everything unchanged after the next start", async () => {
    const { splitwatch, cwd } = await startElsewhere();
    const running = await splitwatch.ready;
    await ask(running, "newcomer", "watch ACME BRK.B");
    await ask(running, "newcomer", "test", { channel: "general" });
    const stream = await fetch(`${running}/api/stream?channel=general&after=0`);
    expect(stream.status).toBe(200);
    splitwatch.signal("SIGTERM");
    expect(await splitwatch.ended).toEqual({ code: 0, signal: null });
    expect(splitwatch.log().map(({ msg }) => msg)).not.toContain("stop timed out");
    expect(await stream.text()).toContain("Test: splitwatch can post here");

    const next = processes.start({ cwd });
    const [card] = await ask(await next.ready, "newcomer", "watchlist");
    expect(card?.rows.map(({ title }) => title)).toEqual(["ACME", "BRK.B"]);
    await next.kill();
  });

  it("finds no error or warning in the log after all of this", async () => {
    first.signal("SIGTERM");
    expect(await first.ended).toEqual({ code: 0, signal: null });
    const serious = first.log().filter(({ level }) => level === "error" || level === "warn");
    // Tests have no network.
    expect(serious.map(({ msg }) => msg)).toEqual(["no source reachable"]);
    expect(first.stderrOutsideLog()).toEqual([]);
  });
});

function exampleIn(card: Card | undefined): string {
  const words = card?.lines.join("\n") ?? "";
  const example = /Example: \/splits (.+)$/m.exec(words)?.[1];
  if (example === undefined) throw new Error(`no example in ${JSON.stringify(card)}`);
  return example;
}
