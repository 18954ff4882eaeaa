import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../src/domain/time/day.ts";
import type { RunningApp } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";
import { anEstablishedUpstream, ESTABLISHED, type EstablishedUpstream } from "../support/established-upstream.ts";
import { aSplitRow } from "../support/upstream.ts";
import { waitUntil } from "../support/wait-until.ts";

let established: EstablishedUpstream;

beforeEach(async () => {
  established = await anEstablishedUpstream();
});

afterEach(() => established.end());

const JSON_TYPE = { "content-type": "application/json" };

/** Answer to a line in the channel, as text. */
async function post(
  { address }: RunningApp,
  line: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const body = JSON.stringify({ name: "alice", line, channel: "general" });
  const response = await fetch(`${address}/api/command`, {
    method: "POST",
    headers: { ...JSON_TYPE, ...headers },
    body,
  });
  expect(response.status).toBe(200);
  const { cards } = (await response.json()) as { readonly cards: readonly Parameters<typeof cardText>[0][] };
  return cards.map(cardText).join("\n");
}

function errorsOf({ log }: RunningApp): readonly unknown[] {
  return log.lines.filter(({ level }) => level === "error");
}

describe("simultaneous requests of several browsers", () => {
  it("that are the same command have one effect", async () => {
    const app = await established.start();
    const inFour = (line: string): Promise<readonly string[]> =>
      Promise.all(Array.from({ length: 4 }, () => post(app, line)));
    await inFour("subscribe events:all");
    expect(await post(app, "subscriptions")).not.toContain("Rule 2");
    expect((await inFour("watch ESTA ESTU")).filter((text) => /already/i.test(text))).toHaveLength(3);
    expect((await inFour("import NEWC ESTB")).filter((text) => /Nothing new/.test(text))).toHaveLength(3);
    expect(await post(app, "watchlist")).toContain("4 tickers");
    await Promise.all([inFour("forget confirm:yes"), post(app, "unwatch ESTA")]);
    expect(await post(app, "watchlist")).not.toMatch(/EST[ABU]|NEWC/);
    expect(errorsOf(app)).toEqual([]);
  });
});

const TOKEN = "the-token-of-this-test";
const SAMPLE = ["SAMA", "SAMB", "SAMC"].map((ticker) => aSplitRow({ ticker, company: `Sample ${ticker} Inc.` }));

async function signIn({ address }: RunningApp): Promise<Readonly<Record<string, string>>> {
  const body = new URLSearchParams({ token: TOKEN });
  const response = await fetch(`${address}/login`, { method: "POST", body, redirect: "manual" });
  return { cookie: (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
}

/** Reads a live stream to its end. */
function openStream(
  { address }: RunningApp,
  headers: Readonly<Record<string, string>>,
): { text: string; isOpen: boolean } {
  const stream = { text: "", isOpen: true };
  void (async () => {
    const { body } = await fetch(`${address}/api/stream?channel=general`, { headers });
    for await (const part of body ?? []) stream.text += Buffer.from(part).toString();
  })()
    .finally(() => {
      stream.isOpen = false;
    })
    .catch(() => undefined);
  return stream;
}

describe("a sign-out during the switch from sample to live data", () => {
  it("ends its live stream; another session receives the next alert once, and no session the rows of either list", async () => {
    const { upstream, clock } = established;
    upstream.sample = true;
    upstream.splits = SAMPLE;
    const app = await established.start({ env: { ADMIN_TOKEN: TOKEN } });
    const [mine, other] = [await signIn(app), await signIn(app)];
    await post(app, "subscribe events:all", mine);
    await app.poll(4);
    const [ending, continuing] = [openStream(app, mine), openStream(app, other)];
    await waitUntil("both streams are open", () => [ending, continuing].every(({ text }) => text.includes("ready")));

    upstream.sample = false;
    upstream.splits = ESTABLISHED;
    const signedOut: Promise<Response>[] = [];
    upstream.beforeAnswer = () => {
      signedOut.push(fetch(`${app.address}/logout`, { method: "POST", headers: mine, redirect: "manual" }));
    };
    clock.skip(2 * MINUTE_MS);
    await app.tick("poll-splits").catch(() => undefined);
    await waitUntil("the stream has ended", () => !ending.isOpen);
    await waitUntil("live data is shown", async () => /ESTA/.test(await post(app, "list when:all", other)));
    upstream.splits = [...ESTABLISHED, aSplitRow({ ticker: "NEWC" })];
    for (let polls = 0; polls < 6; polls += 1) await app.poll();
    await waitUntil("the alert arrives", () => continuing.text.includes("NEWC 1-for-20"));

    expect(continuing.text.match(/"title":"NEWC [^"]*"/g)).toHaveLength(1);
    expect(continuing.text).not.toMatch(/"title":"(?:SAM|EST)/);
    expect([continuing.isOpen, (await Promise.all(signedOut)).every(({ status }) => status === 303)]).toEqual([
      true,
      true,
    ]);
    expect((await fetch(`${app.address}/api/overview`, { headers: mine })).status).toBe(401);
    expect(errorsOf(app)).toEqual([]);
  });
});
