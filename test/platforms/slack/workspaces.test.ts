import { afterEach, describe, expect, it } from "vitest";
import { configuredStore } from "../../../src/store/index.ts";
import { ACME, BRAVO } from "./rows.ts";
import {
  a,
  alertsIn,
  answerTo,
  b,
  bench,
  browser,
  close,
  dataText,
  NEWS,
  open,
  openInstalled,
  storedInstallations,
  uninstall,
} from "./two-workspaces.ts";
import { notificationText } from "./users/message-text.ts";

afterEach(close);

describe.each(["http", "socket"] as const)("two workspaces over %s", (by) => {
  it("get alerts with their own tokens, and are isolated from each other", async () => {
    await openInstalled({ via: by });
    await answerTo(a, "subscribe tickers:ACME");
    expect(await answerTo(a, "subscriptions")).toMatch(/Rule 2/);
    expect(await answerTo(b, "subscriptions")).not.toMatch(/Rule 2/);
    await bench.list(ACME, BRAVO, NEWS);
    for (const team of [a, b]) {
      expect(alertsIn(team)).toEqual([expect.stringContaining("NEWS 1-for-20")]);
      expect(team.directMessages("ada").map(notificationText)).toEqual([expect.stringContaining("NEWS 1-for-20")]);
      expect(team.directMessages("bob")).toEqual([]);
    }
    await bench.list(ACME, BRAVO, { ...NEWS, ratio: "1:30" });
    for (const team of [a, b]) {
      const [first, change] = team.messages("general");
      expect(change?.threadTs).toBe(first?.ts);
    }
    const posts = bench.slack.calls.filter(({ method }) => method === "chat.postMessage");
    for (const { team, args } of posts) {
      const own = [a, b].find(({ workspace }) => workspace.team.id === team);
      expect(own?.workspace.findChannel(String(args.channel))).toBeDefined();
    }
    for (const { workspace } of [a, b]) expect(posts.filter(({ team }) => team === workspace.team.id)).toHaveLength(4);
    expect(bench.slack.violations).toEqual([]);
  });

  it("keep working after a restart", async () => {
    await openInstalled({ via: by });
    await bench.restart();
    await bench.list(ACME, BRAVO, NEWS);
    expect([alertsIn(a).length, alertsIn(b).length]).toEqual([1, 1]);
    expect(await answerTo(b, "subscriptions")).toMatch(/Rule 1/);
    expect((await bench.readiness()).checks).toMatchObject({ slack: { ok: true } });
  });
});

describe("a workspace", () => {
  it("can't set rules for a channel of another workspace: its signed request changes only its own data", async () => {
    await open();
    await browser.install(a);
    await browser.install(b);
    const foreign = b.channel("general");
    foreign.botIsMember = true;
    const line = { command: "/splits", text: "subscribe", user_id: a.user("ada").id, user_name: "ada" };
    const nowhere = `${bench.upstream.url}/nowhere`;
    const where = { team_id: a.workspace.team.id, channel_id: foreign.id, response_url: nowhere, trigger_id: "1.1" };
    const body = new URLSearchParams({ ...line, ...where }).toString();
    expect((await bench.slack.sendSigned({ body, at: bench.clock.now() })).status).toBe(200);
    await bench.until("the rule is set", async () => (await dataText(bench)).includes(foreign.id));
    expect(await answerTo(b, "subscriptions")).not.toMatch(/Rule 1/);
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("the alert is refused", () => bench.log.count("destination paused") === 1);
    expect([alertsIn(b), b.directMessages("ada")]).toEqual([[], []]);
    // The real Slack sends no such request, and refuses the calls for it.
    const refused = (bench.slack.violations as string[]).splice(0);
    expect(
      refused.filter((text) => !text.endsWith(`${foreign.id} belongs to another workspace than the token`)),
    ).toEqual([]);
  });

  it("that has not installed splitwatch gets a link to the install page", async () => {
    await open({ env: { PUBLIC_URL: "https://splitwatch.example.com" } });
    await browser.install(a);
    expect(await answerTo(b, "subscribe")).toMatch(
      /not installed in this workspace.*https:\/\/splitwatch\.example\.com\/slack\/install/s,
    );
    expect(bench.slack.calls.filter(({ team }) => team === b.workspace.team.id).map(({ method }) => method)).toEqual([
      "response_url",
    ]);
  });
});

describe("secrets", () => {
  it("are neither in stored files nor in the log", async () => {
    await open();
    bench.slack.oauth.rotates = true;
    await browser.install(a);
    await browser.install(b);
    await answerTo(a, "subscribe");
    bench.clock.skip(11 * 60 * 60_000);
    await bench.list(ACME, BRAVO, NEWS);
    await answerTo(a, "help");
    await bench.until("the token is renewed", () => bench.log.count("slack token rotated") > 0);
    await uninstall(a);
    const { clientSecret } = bench.slack.oauth;
    const { SLACK_STATE_SECRET: stateSecret = "", ENCRYPTION_KEY: key = "" } = bench.slack.envForManyWorkspaces(
      bench.via,
    );
    const hidden = [...browser.secrets, ...bench.slack.oauth.validTokens(b), clientSecret, stateSecret, key];
    const [data, log] = [await dataText(bench), bench.log.text()];
    for (const secret of hidden) {
      expect(data).not.toContain(secret);
      expect(log).not.toContain(secret);
    }
    for (const text of [data, log]) expect(text).not.toMatch(/xox[a-z]-|xox[a-z]\./);
  });

  it("stored with another ENCRYPTION_KEY are reported and kept", async () => {
    await openInstalled();
    const kept = await storedInstallations(bench);
    await bench.restart({ ENCRYPTION_KEY: "another key, that is as long as the one before" });
    const { ready, checks } = await bench.readiness();
    expect([ready, JSON.stringify(checks)]).toEqual([
      false,
      expect.stringContaining("ENCRYPTION_KEY does not decrypt"),
    ]);
    expect(JSON.stringify(bench.log.lines.filter(({ level }) => level === "error"))).toContain("ENCRYPTION_KEY");
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("a delivery is attempted", () => bench.log.count("delivery delayed") > 0);
    expect(await storedInstallations(bench)).toEqual(kept);
    expect(await answerTo(a, "help")).toMatch(/its operator has to restore ENCRYPTION_KEY/);
    await bench.restart();
    bench.clock.skip(10 * 60_000);
    await bench.allDelivered();
    expect([alertsIn(a).length, alertsIn(b).length]).toEqual([1, 1]);
  });

  it("stored for one workspace can't be decrypted for another", async () => {
    await openInstalled();
    await bench.stop();
    const foreign = (await storedInstallations(bench)).find(({ workspaceId }) => workspaceId === b.workspace.team.id);
    const store = await configuredStore({ dataDir: bench.dataDir }).open({ clock: bench.clock, log: bench.log });
    const known = await store.installations.find(`slack ${a.workspace.team.id}`);
    if (known && foreign) await store.installations.put({ ...known, credentials: foreign.credentials });
    await store.close();
    await bench.start();
    expect(JSON.stringify((await bench.readiness()).checks)).toContain("of 1 Slack workspaces");
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("the other workspace has its alert", () => alertsIn(b).length === 1);
    expect(alertsIn(a)).toEqual([]);
    await browser.install(a);
    expect((await bench.readiness()).checks).toMatchObject({ slack: { ok: true } });
  });
});
