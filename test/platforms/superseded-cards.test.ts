import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS } from "../../src/domain/time/day.ts";
import { anArticleRow, aSplitRow } from "../support/upstream.ts";
import { type BothPlatforms, openBothPlatforms } from "./both-platforms.ts";
import { faults } from "./discord/faults.ts";
import { textOf } from "./discord/model.ts";
import { ACME, ACME_LATER, ACME_RELEASE, BRAVO, MONDAY } from "./slack/rows.ts";
import { shownText } from "./slack/users/message-text.ts";

let both: BothPlatforms;

/** Pauses between edits and the waits for slots take a fraction of a second. */
const SPEED = 20;

const CANCELLATION = anArticleRow({
  url: "https://wire.example/acme-9",
  heading: "Acme Robotics Cancels Reverse Stock Split",
  content:
    "Acme Robotics Inc. (NASDAQ: ACME) today announced that it has cancelled its previously announced reverse stock split.",
});

beforeEach(async () => {
  both = await openBothPlatforms({ now: MONDAY, splits: [BRAVO], speed: SPEED });
  const { bench, onDiscord } = both;
  // In the first polls, new rows and releases are adopted as part of the first lists.
  for (let polls = 0; polls < 4; polls += 1) await bench.poll();
  await bench.slack.user("ada").slash("subscribe", { channel: "general" });
  await onDiscord.ada.slash("/splits subscribe", {}, onDiscord.alerts);
});

afterEach(() => both.close());

const list = (...rows: readonly unknown[]): Promise<void> => both.bench.list(BRAVO, ...rows);

async function publish(...articles: readonly unknown[]): Promise<void> {
  both.bench.upstream.articles = articles;
  await both.bench.poll();
}

/** The texts of the messages on both platforms. */
function texts(): { readonly slack: readonly string[]; readonly discord: readonly string[] } {
  const { bench, discord, onDiscord } = both;
  return {
    slack: bench.slack.messages("general").map(shownText),
    discord: discord.messages(onDiscord.alerts).map(textOf),
  };
}

/** The message at the position on each platform, once it contains the text. */
async function messageWith(text: string, position = 0): Promise<readonly string[]> {
  await both.bench.until(`the messages at ${position} contain "${text}"`, () =>
    Object.values(texts()).every((all) => all[position]?.includes(text)),
  );
  return Object.values(texts()).map((all) => all[position] ?? "");
}

const RELEASE_WITHOUT_TERMS = anArticleRow({
  ...ACME_RELEASE,
  content: "Acme Robotics Inc. (NASDAQ: ACME) today announced a 1-for-20 reverse stock split.",
});

async function listAndPostpone(): Promise<void> {
  const { onDiscord, bench } = both;
  await bench.slack.user("ada").slash("subscribe events:article", { channel: "general" });
  await onDiscord.ada.slash("/splits subscribe", { events: "article" }, onDiscord.alerts);
  await list(ACME);
  await list(aSplitRow({ ex_date: "2026-03-12" }));
}

const CHANGED = "ACME reverse split: changed, see below";
const NOW = "Changed: ratio 1-for-20 → 1-for-25; ex date Tue 10 Mar 2026 → Thu 12 Mar 2026";

describe("a message about a split that changed later", () => {
  it("shows the old terms struck through, and the change with a link to its message", async () => {
    await list(ACME);
    await list(ACME_LATER);
    const [slack = "", discord = ""] = await messageWith(CHANGED);
    const blocks = JSON.stringify(both.bench.slack.messages("general")[0]?.blocks);
    expect(blocks).toContain("~Tue 10 Mar 2026~ → *changed, see below*");
    expect(blocks).toContain("~1-for-20~ → *changed, see below*");
    expect(discord).toContain("~~Tue 10 Mar 2026~~ → **changed, see below**");
    expect(discord).toContain("~~1-for-20~~ → **changed, see below**");
    for (const text of [slack, discord]) {
      expect(text).toContain(NOW);
      expect(text).not.toContain("trading day");
    }
    const { bench, discord: server, onDiscord } = both;
    const [first, second] = server.messages(onDiscord.alerts);
    expect(JSON.stringify(first?.embeds)).toContain(`/${second?.id}`);
    expect(second?.replyTo).toBe(first?.id);
    expect(second?.flags).toBe(0);
    const [thread, reply] = bench.slack.messages("general");
    expect(reply).toMatchObject({ threadTs: thread?.ts, broadcast: true });
    expect(JSON.stringify(thread?.metadata)).toContain("message_id");
  });

  it("is edited again after a cancellation, also after a restart", async () => {
    await list(ACME);
    await publish(CANCELLATION);
    await messageWith("ACME reverse split: cancelled, see below");
    await both.bench.restart();
    await list(ACME_LATER);
    await messageWith(CHANGED);
    expect(await messageWith(CHANGED, 1)).toHaveLength(2);
  });

  it("is edited after the restart of a process that ended before", async () => {
    const { bench, discord } = both;
    await list(ACME);
    const endSlack = bench.slack.faults.add({ method: "chat.update", effect: { kind: "hang" } });
    const endDiscord = discord.faults.add(faults.hang, { method: "PATCH", path: /messages/ });
    await list(ACME_LATER);
    await bench.stop();
    endSlack();
    endDiscord();
    await bench.start();
    expect(await messageWith(CHANGED)).toHaveLength(2);
  });

  it("regains its terms when the split is listed again with them", async () => {
    await list(ACME);
    for (let polls = 0; polls < 3; polls += 1) await list();
    await messageWith("ACME reverse split: no longer listed, see below");
    await list(ACME);
    const [slack = "", discord = ""] = await messageWith("ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026");
    for (const text of [slack, discord]) expect(text).not.toContain("see below");
    await messageWith("ACME reverse split: listed again, see below", 1);
  });

  it("shows the change also if it was refused at first and came after the change", async () => {
    const { bench, discord } = both;
    const announcement = /ACME 1-for-20 reverse split, ex date/;
    const refusal = { kind: "error", code: "invalid_blocks" } as const;
    const ends = [
      bench.slack.faults.add({ method: "chat.postMessage", contains: announcement, effect: refusal }),
      discord.faults.add(faults.refusal(400, 50_035, "Invalid Form Body"), { method: "POST", body: announcement }),
    ];
    bench.upstream.splits = [BRAVO, ACME];
    await bench.run("poll-splits");
    await bench.until("the text was refused too", () => bench.log.count("message refused") === 4);
    bench.upstream.splits = [BRAVO, ACME_LATER];
    await bench.run("poll-splits");
    await messageWith("ACME reverse split changed");
    for (const end of ends) end();
    const late = await messageWith("ACME reverse split: changed, see above", 1);
    for (const text of late) expect(text).toContain(NOW);
  });

  it("stays as it is if the platform refuses the edit, and the alerts go on", async () => {
    const { bench, discord } = both;
    await list(ACME);
    bench.slack.faults.add({ method: "chat.update", effect: { kind: "error", code: "edit_window_closed" } });
    discord.faults.add(faults.refusal(404, 10_008, "Unknown Message"), { method: "PATCH", path: /messages/ });
    await list(ACME_LATER);
    await bench.until("both edits have failed", () => bench.log.count("card edit failed") === 2);
    await list(aSplitRow({ ex_date: "2026-03-13", ratio: "1:25" }));
    const { slack, discord: onDiscord } = texts();
    expect([slack.length, onDiscord.length]).toEqual([3, 3]);
    expect(slack[0]).toContain("ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026");
    const page = await (await fetch(`${bench.address}/metrics`)).text();
    expect(page).toMatch(/splitwatch_deliveries_total\{[^}]*platform="slack"[^}]*outcome="sent"[^}]*\} 3/);
  });

  it("keeps what later alerts superseded when its release joins it", async () => {
    await listAndPostpone();
    await messageWith(CHANGED);
    await publish(RELEASE_WITHOUT_TERMS);
    const [slack = "", discord = ""] = await messageWith("Release:");
    for (const text of [slack, discord]) expect(text).toContain(CHANGED);
  });

  it("keeps a release that joins it while its edit waits", async () => {
    const { bench } = both;
    const updates = (): number => bench.slack.calls.filter(({ method }) => method === "chat.update").length;
    bench.slack.faults.add({ method: "chat.update", times: 1, effect: { kind: "rate-limited", retryAfter: 3_000 } });
    await listAndPostpone();
    await bench.until("the edit waits", () => updates() === 1);
    bench.upstream.articles = [RELEASE_WITHOUT_TERMS];
    await bench.run("poll-articles");
    await bench.allDelivered();
    expect(texts().slack[0]).toContain("Release:");
    bench.clock.skip(HOUR_MS);
    await bench.until("it is edited again", () => updates() === 3);
    await messageWith(CHANGED);
    expect(texts().slack[0]).toContain("Release:");
  });
});
