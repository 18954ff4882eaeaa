import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunningApp } from "../support/app.ts";
import { anEstablishedUpstream, ESTABLISHED, type EstablishedUpstream } from "../support/established-upstream.ts";
import { aSplitRow } from "../support/upstream.ts";

const README = readFileSync(new URL("../../src/chat/feed/README.md", import.meta.url), "utf8");
const COMMANDS = [...README.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);

const PUBLIC_URL = "https://splits.example";

let established: EstablishedUpstream;

beforeEach(async () => {
  established = await anEstablishedUpstream();
});

afterEach(() => established.end());

async function start(settings = "feed: { enabled: true }"): Promise<RunningApp> {
  const path = join(established.dataDir, "..", "feed.yaml");
  await writeFile(path, settings);
  return established.start({ env: { SPLITWATCH_CONFIG: path, PUBLIC_URL } });
}

async function titles(app: RunningApp): Promise<readonly string[]> {
  const { json } = await app.get("/feeds/alerts.json");
  return (json as { readonly items: readonly { readonly title: string }[] }).items.map(({ title }) =>
    title.slice(0, 4),
  );
}

const NEW = ["NEWA", "NEWB", "NEWC", "NEWD"].map((ticker) => aSplitRow({ ticker }));

describe("the feeds of a running app", () => {
  it("have an entry for each alert that their rules match, also after a restart, and are linked by the page", async () => {
    const app = await start();
    await app.poll(4);
    expect(await titles(app)).toEqual([]);
    established.upstream.splits = [...ESTABLISHED, ...NEW];
    await app.poll(3);
    const entries = await titles(app);
    expect(entries.toSorted()).toEqual(["NEWA", "NEWB", "NEWC", "NEWD"]);
    expect(await app.metric("splitwatch_deliveries_total", 'platform="feed",outcome="sent"')).toBe(1);
    expect((await app.get("/")).text).toContain(
      '<link rel="alternate" type="application/atom+xml" title="Alerts (Atom)" href="/feeds/alerts.atom" />',
    );
    const before = (await app.get("/feeds/alerts.atom")).text;
    await established.stop(app);
    const restarted = await start();
    await restarted.poll(2);
    expect((await restarted.get("/feeds/alerts.atom")).text).toBe(before);
  });

  it("contain what their rules select", async () => {
    const app = await start("feed: { enabled: true, rules: [ { tickers: [NEWB] } ] }");
    await app.poll(4);
    established.upstream.splits = [...ESTABLISHED, ...NEW];
    await app.poll(1);
    expect(await titles(app)).toEqual(["NEWB"]);
  });

  it("don't exist unless they are enabled", async () => {
    const app = await start("{}");
    expect((await app.get("/feeds/alerts.atom")).status).toBe(404);
    expect((await app.get("/")).text).not.toContain("/feeds/");
  });

  it("are read by the commands in the README", async () => {
    const app = await start();
    await app.poll(4);
    established.upstream.splits = [...ESTABLISHED, ...NEW.slice(0, 1)];
    await app.poll(1);
    const env = { PATH: process.env.PATH, PUBLIC_URL: app.address };
    const outputs: string[] = [];
    for (const block of COMMANDS) outputs.push((await promisify(execFile)("sh", ["-ec", block], { env })).stdout);
    expect(outputs).toEqual([
      expect.stringContaining("http://www.w3.org/2005/Atom"),
      "announced NEWA 1:20 2026-03-10\n",
    ]);
  });
});
