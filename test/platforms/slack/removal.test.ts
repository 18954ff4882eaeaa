import { afterEach, describe, expect, it } from "vitest";
import { aSplitRow } from "../../support/upstream.ts";
import { ACME, BRAVO } from "./rows.ts";
import {
  a,
  b,
  bench,
  browser,
  close,
  dataText,
  NEWS,
  openInstalled,
  powerCut,
  problems,
  says,
  stored,
  told,
  uninstall,
} from "./two-workspaces.ts";

afterEach(close);

const MORE = aSplitRow({ ticker: "MORE" });
const DAY_MS = 24 * 60 * 60_000;
const LEFT = "splitwatch was removed from this workspace; alerts resume when it is installed again";

describe.each(["http", "socket"] as const)("two workspaces over %s", (by) => {
  it("are removed and installed independently; held alerts are sent once after a new installation", async () => {
    await openInstalled({ via: by });
    await uninstall(a);
    expect(await stored(bench)).toEqual([
      expect.objectContaining({ workspaceId: b.workspace.team.id, credentials: expect.any(String) }),
      expect.objectContaining({ workspaceId: a.workspace.team.id, credentials: null }),
    ]);
    const before = bench.slack.calls.length;
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("the other was told", () => told(b).length === 1 && b.directMessages("ada").length === 1);
    const since = bench.slack.calls.slice(before);
    expect(since.filter(({ team }) => team !== b.workspace.team.id)).toEqual([]);
    expect((await problems(bench)).split(LEFT)).toHaveLength(3);
    await powerCut();
    expect((await problems(bench)).split(LEFT)).toHaveLength(3);
    expect(told(a)).toEqual([]);

    expect((await browser.install(a)).status).toBe(200);
    await powerCut();
    await bench.allOut();
    await bench.list(ACME, BRAVO, NEWS, MORE);
    expect(told(a).map((text) => text.slice(0, 4))).toEqual(["NEWS", "MORE"]);
    expect(a.directMessages("ada")).toHaveLength(1);
    expect(told(b).map((text) => text.slice(0, 4))).toEqual(["NEWS", "MORE"]);
    expect(await says(a, "why NEWS")).toMatch(/In this channel: Sent/);
    expect(await problems(bench)).not.toContain(LEFT);
  });
});

describe("a workspace", () => {
  it("stays installed if only user tokens are revoked", async () => {
    await openInstalled();
    await bench.slack.tell(a, { type: "tokens_revoked", tokens: { oauth: ["U1"], bot: [] } }, { via: bench.via });
    await bench.list(ACME, BRAVO, NEWS);
    expect(told(a)).toHaveLength(1);
  });

  it("stays installed when removal events of an earlier installation arrive late", async () => {
    await openInstalled();
    const before = bench.clock.now() - 60_000;
    const bot = [a.workspace.bot.userId];
    await uninstall(a);
    await browser.install(a);
    await says(a, "help");
    await bench.slack.tell(a, { type: "app_uninstalled" }, { via: bench.via, at: before });
    await bench.slack.tell(a, { type: "tokens_revoked", tokens: { bot } }, { via: bench.via, at: before });
    await bench.until("they are looked at", () => bench.log.count("slack uninstall ignored") === 2);
    await bench.list(ACME, BRAVO, NEWS);
    expect(told(a)).toHaveLength(1);
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
      await bench.until("the other was told", () => told(b).length === 1);
      await bench.until("it is noticed", () => bench.log.count("slack workspace uninstalled") === 1);
      expect(bench.log.count("platform stopped")).toBe(0);
      expect(
        (await stored(bench)).find(({ workspaceId }) => workspaceId === a.workspace.team.id)?.credentials,
      ).toBeNull();
      await browser.install(a);
      await bench.allOut();
      expect(told(a)).toHaveLength(1);
    },
  );

  it("whose token is refused for another reason is paused alone, and resumes after a new installation", async () => {
    await openInstalled();
    bench.slack.oauth.revoke(a, "team_access_not_granted");
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("the other was told", () => told(b).length === 1);
    await bench.until("it is paused", async () => /team_access_not_granted/.test(await problems(bench)));
    expect((await stored(bench)).every(({ credentials }) => credentials !== null)).toBe(true);
    await browser.install(a);
    await bench.allOut();
    expect(told(a)).toHaveLength(1);
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
    await bench.until("it is forgotten", () => bench.log.count("slack workspace purged") === 1);
    expect((await stored(bench)).map(({ workspaceId }) => workspaceId)).toEqual([b.workspace.team.id]);
    expect(await dataText(bench)).not.toContain(`${a.workspace.team.id}/${ada}`);
    expect(await dataText(bench)).toContain(`${b.workspace.team.id}/${b.user("ada").id}`);
    await browser.install(a);
    expect(await says(a, "subscriptions")).toMatch(/Rule 1/);
    expect(await says(a, "watchlist")).not.toMatch(/NEWS/);
    await bench.list(ACME, BRAVO, { ...NEWS, ex_date: "2026-05-12" });
    expect(told(a).filter((text) => text.startsWith("NEWS"))).toHaveLength(1);
    expect(a.directMessages("ada")).toEqual([]);
  });

  it("is also purged while splitwatch runs", async () => {
    await openInstalled();
    await uninstall(a);
    bench.clock.skip(30 * DAY_MS + 60 * 60_000);
    await bench.until("it is forgotten", () => bench.log.count("slack workspace purged") === 1);
    expect((await stored(bench)).map(({ workspaceId }) => workspaceId)).toEqual([b.workspace.team.id]);
  });
});
