import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aSplitRow } from "../../support/upstream.ts";
import { ACME } from "./rows.ts";
import { REFRESH_GRACE_MS, TOKEN_LIFETIME_MS } from "./server/oauth.ts";
import type { SlackTeam } from "./server/team.ts";
import { a, b, bench, close, open } from "./two-workspaces.ts";
import { openBrowser } from "./users/browser.ts";
import { notificationText } from "./users/message-text.ts";

const CHANNELS = ["one", "two", "three", "four"];
const HOUR_MS = 60 * 60_000;

beforeEach(async () => {
  await open({ splits: [ACME], slack: { channels: CHANNELS } });
  listed = [ACME];
  bench.slack.oauth.rotates = true;
  for (const team of [a, b]) {
    await openBrowser(bench).install(team);
    for (const channel of CHANNELS) await answerTo(team, "subscribe", channel);
  }
});

afterEach(close);

function answerTo(team: SlackTeam, line: string, channel = "one"): Promise<string> {
  return team.user("ada").answerTo(line, { channel, via: "http" });
}

let listed: readonly unknown[] = [ACME];

/** Lists a new split and returns its ticker. */
async function newSplit(): Promise<string> {
  const ticker = `N${String.fromCharCode(64 + listed.length)}X`;
  listed = [...listed, aSplitRow({ ticker, ex_date: "2026-05-12" })];
  bench.upstream.splits = listed;
  await bench.run("poll-splits");
  return ticker;
}

/** Number of channels with an alert about the ticker. */
function alertCount(team: SlackTeam, ticker: string): number {
  return CHANNELS.filter((channel) =>
    team.messages(channel).some((message) => notificationText(message).includes(ticker)),
  ).length;
}

function renewals(): readonly string[] {
  return bench.slack.calls
    .filter(({ method, args }) => method === "oauth.v2.access" && args.grant_type === "refresh_token")
    .map(({ outcome }) => outcome);
}

const renewalCount = (times: number) =>
  bench.until("the tokens are renewed", () => bench.log.count("slack token rotated") === times);

describe("an expiring token", () => {
  it("is renewed before it expires, once for concurrent calls, separately per workspace", async () => {
    bench.clock.skip(TOKEN_LIFETIME_MS - HOUR_MS);
    const ticker = await newSplit();
    await bench.allDelivered();
    await renewalCount(2);
    expect([alertCount(a, ticker), alertCount(b, ticker)]).toEqual([4, 4]);
    expect(renewals()).toEqual(["ok", "ok"]);
    expect(bench.slack.calls.filter(({ outcome }) => outcome === "token_expired")).toEqual([]);
  });

  it("is renewed repeatedly, also across restarts", async () => {
    for (let times = 1; times <= 3; times += 1) {
      bench.clock.skip(TOKEN_LIFETIME_MS - HOUR_MS);
      await bench.restart();
      const ticker = await newSplit();
      await bench.allDelivered();
      await renewalCount(2 * times);
      expect([alertCount(a, ticker), alertCount(b, ticker)]).toEqual([4, 4]);
    }
    expect(new Set(renewals())).toEqual(new Set(["ok"]));
  });

  it("is renewed before any call once it has expired", async () => {
    bench.clock.skip(TOKEN_LIFETIME_MS + HOUR_MS);
    const ticker = await newSplit();
    await bench.allDelivered();
    expect([alertCount(a, ticker), alertCount(b, ticker)]).toEqual([4, 4]);
    expect(renewals()).toEqual(["ok", "ok"]);
    expect(await answerTo(a, "show ACME")).toContain("ACME");
  });

  it("that expires early is renewed, and the failed call is repeated", async () => {
    const end = bench.slack.faults.add({
      method: "chat.postMessage",
      channel: a.channel("two").id,
      times: 1,
      effect: { kind: "error", code: "token_expired" },
    });
    const ticker = await newSplit();
    await bench.allDelivered();
    end();
    expect(alertCount(a, ticker)).toBe(4);
    expect(renewals()).toEqual(["ok"]);
  });

  it("is used while it is valid if a renewal fails, and the renewal is retried", async () => {
    bench.clock.skip(TOKEN_LIFETIME_MS - HOUR_MS);
    const endFault = bench.slack.faults.add({
      method: "oauth.v2.access",
      effect: { kind: "error", code: "internal_error" },
    });
    const first = await newSplit();
    await bench.allDelivered();
    expect([alertCount(a, first), alertCount(b, first)]).toEqual([4, 4]);
    await bench.until("the renewal has failed", () => bench.log.count("slack token rotation failed") === 2);
    endFault();
    bench.clock.skip(2 * 60_000);
    const second = await newSplit();
    await bench.allDelivered();
    await renewalCount(2);
    expect([alertCount(a, second), alertCount(b, second)]).toEqual([4, 4]);
  });

  it("that can't be renewed yet delays alerts without losing any", async () => {
    bench.clock.skip(TOKEN_LIFETIME_MS + HOUR_MS);
    const endFault = bench.slack.faults.add({ method: "oauth.v2.access", effect: { kind: "status", status: 503 } });
    const ticker = await newSplit();
    await bench.until("deliveries are delayed", () => bench.log.count("delivery delayed") >= 8);
    expect(alertCount(a, ticker)).toBe(0);
    expect(bench.log.count("destination paused")).toBe(0);
    endFault();
    bench.clock.skip(10 * 60_000);
    await bench.allDelivered();
    expect([alertCount(a, ticker), alertCount(b, ticker)]).toEqual([4, 4]);
  });

  it.each(["reset", "500"] as const)("is requested again when Slack's answer was lost (%s)", async (end) => {
    bench.clock.skip(TOKEN_LIFETIME_MS + HOUR_MS);
    bench.slack.faults.add({ method: "oauth.v2.access", times: 1, effect: { kind: "stored-then", end } });
    const ticker = await newSplit();
    await bench.allDelivered();
    expect([alertCount(a, ticker), alertCount(b, ticker)]).toEqual([4, 4]);
    expect(renewals()).toHaveLength(3);
  });

  it("is requested again at startup if its answer was lost before a stop", async () => {
    bench.clock.skip(TOKEN_LIFETIME_MS - HOUR_MS);
    const endFault = bench.slack.faults.add({
      method: "oauth.v2.access",
      effect: { kind: "stored-then", end: "reset" },
    });
    await newSplit();
    await bench.until("the renewal has failed", () => bench.log.count("slack token rotation failed") === 2);
    await bench.stop();
    endFault();
    await bench.start();
    await renewalCount(2);
    expect(renewals().slice(-2)).toEqual(["ok", "ok"]);
  });

  it("is renewed if Slack revoked it after answers with its successors were lost", async () => {
    bench.clock.skip(TOKEN_LIFETIME_MS - HOUR_MS);
    const endFault = bench.slack.faults.add({
      method: "oauth.v2.access",
      effect: { kind: "stored-then", end: "reset" },
    });
    await newSplit();
    await bench.until("the renewal has failed", () => bench.log.count("slack token rotation failed") === 2);
    endFault();
    const ticker = await newSplit();
    await bench.allDelivered();
    expect([alertCount(a, ticker), alertCount(b, ticker)]).toEqual([4, 4]);
    expect(bench.log.count("slack workspace uninstalled")).toBe(0);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["no token for the bot", { access_token: undefined }],
    ["a token that cannot be renewed", { refresh_token: undefined }],
    ["a token that has already expired", { expires_in: 0 }],
    ["a token of another workspace", { team: { id: "T9OTHER", name: "Other" } }],
  ])("is kept if Slack returns %s, and the renewal is retried", async (_, overrides) => {
    bench.clock.skip(TOKEN_LIFETIME_MS - HOUR_MS);
    bench.slack.oauth.answerOverrides = overrides;
    const first = await newSplit();
    await bench.until("the failure is logged", () => bench.log.count("slack token rotation failed") >= 2);
    bench.slack.oauth.answerOverrides = {};
    const second = await newSplit();
    await bench.allDelivered();
    for (const team of [a, b]) expect([alertCount(team, first), alertCount(team, second)]).toEqual([4, 4]);
    expect([bench.log.count("slack workspace uninstalled"), bench.log.count("slack token rotated")]).toEqual([0, 2]);
  });

  it("whose renewal Slack refuses is used until it expires; then the workspace has to install again", async () => {
    bench.clock.skip(TOKEN_LIFETIME_MS - HOUR_MS);
    const lost = { kind: "error", code: "invalid_refresh_token" } as const;
    bench.slack.faults.add({ method: "oauth.v2.access", times: 1, effect: lost });
    const first = await newSplit();
    await bench.allDelivered();
    await bench.until("the failure is logged", () => bench.log.count("slack token rotation failed") === 1);
    expect([alertCount(a, first), alertCount(b, first)]).toEqual([4, 4]);
    await renewalCount(1);
    bench.clock.skip(2 * HOUR_MS);
    const second = await newSplit();
    await bench.until("the workspace is paused", () => bench.log.count("slack workspace uninstalled") === 1);
    const [gone = a] = [a, b].filter((team) => alertCount(team, second) === 0);
    const other = gone === a ? b : a;
    await bench.until("the other workspace has its alerts", () => alertCount(other, second) === 4);
    const overview = await (await fetch(`${bench.address}/api/overview`)).text();
    expect(overview).toContain(
      "Slack has ended splitwatch's access to this workspace; alerts resume when it is installed again",
    );
    bench.clock.skip(2 * HOUR_MS);
    const tried = /^destination (still )?paused$/;
    await bench.until("the alerts are tried again", () => bench.log.lines.some(({ event }) => tried.test(event)));
    expect(await (await fetch(`${bench.address}/api/overview`)).text()).not.toContain("was removed");
    await openBrowser(bench).install(gone);
    await bench.allDelivered();
    expect(alertCount(gone, second)).toBe(4);
    expect(renewals().filter((outcome) => outcome === "invalid_refresh_token")).toHaveLength(1);
  });

  it("reported as revoked after its renewal removes nothing", async () => {
    bench.clock.skip(TOKEN_LIFETIME_MS - HOUR_MS);
    await answerTo(a, "help");
    const ticker = await newSplit();
    await bench.allDelivered();
    await renewalCount(2);
    const bot = [a.workspace.bot.userId];
    await bench.slack.sendEvent(a, { type: "tokens_revoked", tokens: { bot } }, { via: "http" });
    await bench.until("the event is checked", () => bench.log.count("slack uninstall ignored") === 1);
    expect(alertCount(a, ticker)).toBe(4);
  });

  it("reports a wrong client secret in the readiness until it is corrected", async () => {
    // Not while the app runs with the right secret: it would renew the tokens for a request in the background.
    await bench.stop();
    bench.clock.skip(TOKEN_LIFETIME_MS - HOUR_MS);
    await bench.start({ SLACK_CLIENT_SECRET: "another-secret" });
    await newSplit();
    await bench.allDelivered();
    await bench.until("the failure is logged", () => bench.log.count("slack token rotation failed") > 0);
    const { ready, checks } = await bench.readiness();
    expect([ready, JSON.stringify(checks)]).toEqual([false, expect.stringContaining("SLACK_CLIENT_SECRET")]);
    await bench.restart();
    await newSplit();
    await bench.allDelivered();
    await renewalCount(2);
    expect((await bench.readiness()).checks).toMatchObject({ slack: { ok: true } });
  });
});

it("the test server accepts a used refresh token for the grace period only", async () => {
  const { oauth } = bench.slack;
  const code = oauth.grant(a, { redirectUri: null, scope: "commands" });
  const client = { client_id: oauth.clientId, client_secret: oauth.clientSecret };
  const refresh_token = oauth.access({ ...client, code }, "").refresh_token;
  const renew = () => oauth.access({ ...client, grant_type: "refresh_token", refresh_token }, "");
  expect([renew().ok, renew().ok]).toEqual([true, true]);
  expect(oauth.validTokens(a)).toHaveLength(2);
  bench.clock.skip(REFRESH_GRACE_MS + 1);
  expect(renew()).toEqual({ ok: false, error: "invalid_refresh_token" });
});
