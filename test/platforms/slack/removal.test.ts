import { afterEach, describe, expect, it } from "vitest";
import { aSplitRow } from "../../support/upstream.ts";
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
  openInstalled,
  readOverview,
  restartAfterPowerCut,
  storedInstallations,
  uninstall,
} from "./two-workspaces.ts";

afterEach(close);

const MORE = aSplitRow({ ticker: "MORE" });
const DAY_MS = 24 * 60 * 60_000;
const REMOVED_REASON = "splitwatch was removed from this workspace; alerts resume when it is installed again";

describe.each(["http", "socket"] as const)("two workspaces over %s", (by) => {
  it("are removed and installed independently; held alerts are sent once after a new installation", async () => {
    await openInstalled({ via: by });
    await uninstall(a);
    expect(await storedInstallations(bench)).toEqual([
      expect.objectContaining({ workspaceId: b.workspace.team.id, credentials: expect.any(String) }),
      expect.objectContaining({ workspaceId: a.workspace.team.id, credentials: null }),
    ]);
    const before = bench.slack.calls.length;
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until(
      "the other workspace has its alerts",
      () => alertsIn(b).length === 1 && b.directMessages("ada").length === 1,
    );
    const since = bench.slack.calls.slice(before);
    expect(since.filter(({ team }) => team !== b.workspace.team.id)).toEqual([]);
    expect((await readOverview(bench)).split(REMOVED_REASON)).toHaveLength(3);
    await restartAfterPowerCut();
    expect((await readOverview(bench)).split(REMOVED_REASON)).toHaveLength(3);
    expect(alertsIn(a)).toEqual([]);

    expect((await browser.install(a)).status).toBe(200);
    await restartAfterPowerCut();
    await bench.allDelivered();
    await bench.list(ACME, BRAVO, NEWS, MORE);
    expect(alertsIn(a).map((text) => text.slice(0, 4))).toEqual(["NEWS", "MORE"]);
    expect(a.directMessages("ada")).toHaveLength(1);
    expect(alertsIn(b).map((text) => text.slice(0, 4))).toEqual(["NEWS", "MORE"]);
    expect(await answerTo(a, "why NEWS")).toMatch(/In this channel: Sent/);
    expect(await readOverview(bench)).not.toContain(REMOVED_REASON);
  });
});

describe("a workspace", () => {
  it("stays installed if only user tokens are revoked", async () => {
    await openInstalled();
    await bench.slack.sendEvent(a, { type: "tokens_revoked", tokens: { oauth: ["U1"], bot: [] } }, { via: bench.via });
    await bench.list(ACME, BRAVO, NEWS);
    expect(alertsIn(a)).toHaveLength(1);
  });

  it("stays installed when removal events of an earlier installation arrive late", async () => {
    await openInstalled();
    const before = bench.clock.now() - 60_000;
    const bot = [a.workspace.bot.userId];
    await uninstall(a);
    await browser.install(a);
    await answerTo(a, "help");
    await bench.slack.sendEvent(a, { type: "app_uninstalled" }, { via: bench.via, at: before });
    await bench.slack.sendEvent(a, { type: "tokens_revoked", tokens: { bot } }, { via: bench.via, at: before });
    await bench.until("the events are checked", () => bench.log.count("slack uninstall ignored") === 2);
    await bench.list(ACME, BRAVO, NEWS);
    expect(alertsIn(a)).toHaveLength(1);
  });

  it.each(["account_inactive", "token_revoked"])(
    "that was removed while splitwatch was stopped (%s) is detected at the next alert; the other gets its alert",
    async (code) => {
      await openInstalled();
      await bench.stop();
      bench.slack.oauth.revoke(a, code);
      await bench.start();
      bench.upstream.splits = [ACME, BRAVO, NEWS];
      await bench.run("poll-splits");
      await bench.until("the other workspace has its alerts", () => alertsIn(b).length === 1);
      await bench.until("the removal is detected", () => bench.log.count("slack workspace uninstalled") === 1);
      expect(bench.log.count("slack credentials rejected")).toBe(0);
      expect(
        (await storedInstallations(bench)).find(({ workspaceId }) => workspaceId === a.workspace.team.id)?.credentials,
      ).toBeNull();
      await browser.install(a);
      await bench.allDelivered();
      expect(alertsIn(a)).toHaveLength(1);
    },
  );

  it("whose token is refused for another reason is paused alone, and resumes after a new installation", async () => {
    await openInstalled();
    bench.slack.oauth.revoke(a, "team_access_not_granted");
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("the other workspace has its alerts", () => alertsIn(b).length === 1);
    await bench.until("the workspace is paused", async () => /team_access_not_granted/.test(await readOverview(bench)));
    expect((await storedInstallations(bench)).every(({ credentials }) => credentials !== null)).toBe(true);
    await browser.install(a);
    await bench.allDelivered();
    expect(alertsIn(a)).toHaveLength(1);
  });

  it("that was removed 30 days ago is purged, except for its channels' rules", async () => {
    await openInstalled();
    const ada = a.user("ada").id;
    await uninstall(a);
    bench.clock.skip(30 * DAY_MS - 60_000);
    await bench.restart();
    expect(await dataText(bench)).toContain(`${a.workspace.team.id}/${ada}`);
    bench.clock.skip(2 * 60_000);
    await bench.restart();
    await bench.until("the workspace is purged", () => bench.log.count("slack workspace purged") === 1);
    expect((await storedInstallations(bench)).map(({ workspaceId }) => workspaceId)).toEqual([b.workspace.team.id]);
    expect(await dataText(bench)).not.toContain(`${a.workspace.team.id}/${ada}`);
    expect(await dataText(bench)).toContain(`${b.workspace.team.id}/${b.user("ada").id}`);
    await browser.install(a);
    expect(await answerTo(a, "subscriptions")).toMatch(/Rule 1/);
    expect(await answerTo(a, "watchlist")).not.toMatch(/NEWS/);
    await bench.list(ACME, BRAVO, { ...NEWS, ex_date: "2026-05-12" });
    expect(alertsIn(a).filter((text) => text.startsWith("NEWS"))).toHaveLength(1);
    expect(a.directMessages("ada")).toEqual([]);
  });

  it("is also purged while splitwatch runs", async () => {
    await openInstalled();
    await uninstall(a);
    bench.clock.skip(30 * DAY_MS + 60 * 60_000);
    await bench.until("the workspace is purged", () => bench.log.count("slack workspace purged") === 1);
    expect((await storedInstallations(bench)).map(({ workspaceId }) => workspaceId)).toEqual([b.workspace.team.id]);
  });
});
