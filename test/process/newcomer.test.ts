import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Card, OverviewAnswer } from "../../src/chat/web/page/protocol.ts";
import { until } from "../support/polling-process.ts";
import { Processes, type SplitwatchProcess } from "../support/process.ts";
import { BEST_OF_THREE } from "../support/timing.ts";
import { ask, readReadiness } from "../support/web-chat.ts";

/** What `npm start` runs in a fresh clone: nothing is set but a port that is free on any machine. */
const processes = new Processes();
let folder = "";
let first: SplitwatchProcess;
let address = "";
let readyAfterMs = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "splitwatch-newcomer-"));
  const before = performance.now();
  first = processes.start({ cwd: folder });
  address = await first.ready;
  readyAfterMs = performance.now() - before;
  await until(async () => (await readReadiness(address)).ready);
});

afterAll(async () => {
  await processes.endAll();
  await rm(folder, { recursive: true, force: true });
});

function request(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${address}${path}`, { ...init, signal: AbortSignal.timeout(10_000) });
}

async function someTicker(): Promise<string> {
  const overview = (await (await request("/api/overview")).json()) as OverviewAnswer;
  return overview.splits[0]?.ticker ?? "none is listed";
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
  ["unsubscribe 1", /^Rule 1 removed$/],
  ["status", /^Up to date/],
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
  it("sees the address and opens the page within seconds", async () => {
    const page = await request("/");
    expect(readyAfterMs).toBeLessThan(10_000);
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
    expect(said).toMatch(/^Splits from: +sample data \(invented companies\)/m);
    expect(said).toMatch(/^Next: +run `splitwatch doctor` to see why no wire can be read$/m);
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

  it.each(["help", "list", "show TICKER", "articles", "status"])("can use the buttons of %j", async (line) => {
    const asked = line.replace("TICKER", await someTicker());
    const cards = await ask(address, "presser", asked, { channel: "general" });
    const commands = cards.flatMap(({ buttons }) => buttons.map(({ command }) => command));
    const answers = await Promise.all(
      commands.map((command) => ask(address, "presser", command, { channel: "general" })),
    );
    expect(commands.filter((_, index) => answers[index]?.[0]?.tone === "bad")).toEqual([]);
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

  it(
    "who starts a second one is refused within a second of its start, and told of the first",
    BEST_OF_THREE,
    async () => {
      const before = performance.now();
      const second = processes.start({ cwd: folder });
      expect(await second.ended).toEqual({ code: 1, signal: null });
      // To load the program takes as long as it took the first one.
      expect(performance.now() - before).toBeLessThan(readyAfterMs + 1_000);
      expect(second.stderrOutsideLog()).toEqual([
        expect.stringContaining(`${join(folder, "data")} is in use by another splitwatch`),
      ]);
      expect(second.stderrOutsideLog()[0]).toContain(`pid ${first.pid}`);
      expect((await request("/healthz")).status).toBe(200);
    },
  );

  it("can stop it with the page open and finds everything unchanged after the next start", async () => {
    await ask(address, "newcomer", "watch ACME BRK.B");
    const stream = await request("/api/stream?channel=general&after=0");
    expect(stream.status).toBe(200);
    const before = performance.now();
    first.signal("SIGTERM");
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - before).toBeLessThan(10_000);
    expect(await stream.text()).toContain("Test: splitwatch can post here");
    // Here no wire can be reached, and it says so.
    const onWires = ["wire read failed", "no source reachable"];
    const others = first.log().filter(({ msg }) => !onWires.includes(msg));
    expect(others.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
    expect(first.stderrOutsideLog()).toEqual([]);

    const next = processes.start({ cwd: folder });
    const [card] = await ask(await next.ready, "newcomer", "watchlist");
    expect(card?.rows.map(({ title }) => title)).toEqual(["ACME", "BRK.B"]);
  });
});

function exampleIn(card: Card | undefined): string {
  const words = card?.lines.join("\n") ?? "";
  const example = /Example: \/splits (.+)$/m.exec(words)?.[1];
  if (example === undefined) throw new Error(`no example in ${JSON.stringify(card)}`);
  return example;
}
