import { afterEach, describe, expect, it } from "vitest";
import { aSplitRow } from "../../support/upstream.ts";
import { bare } from "../card-facts.ts";
import { type BenchOptions, SlackBench } from "./bench.ts";
import { ACME, ACME_RELEASE, BRAVO, MANY, MONDAY } from "./rows.ts";
import type { SlackMessage } from "./server/workspace.ts";
import { buttonsOn, notificationText, shownText } from "./users/message-text.ts";
import type { Reaction, Via } from "./users/user.ts";

let bench: SlackBench;

afterEach(() => bench.close());

async function open(start: BenchOptions = {}): Promise<void> {
  bench = await SlackBench.open({ now: MONDAY, splits: [ACME, BRAVO], articles: [ACME_RELEASE], ...start });
}

/** The single message of an answer, visible only to the caller. */
function answerOf({ ackMs, messages }: Reaction): SlackMessage {
  expect(ackMs).toBeLessThan(3_000);
  const [answer, ...more] = messages;
  if (!answer || more.length > 0) throw new Error(`${messages.length} messages, expected one`);
  expect(answer.onlyFor).not.toBeNull();
  expect(notificationText(answer)).not.toBe("");
  return answer;
}

async function answerTo(line: string, channel?: string, via: Via = "socket"): Promise<string> {
  const where = channel === undefined ? { via } : { channel, via };
  return shownText(answerOf(await bench.slack.user("ada").slash(line, where)));
}

/** Every subcommand with a part of its answer that doesn't depend on the date. */
const SUBCOMMANDS: readonly (readonly [string, RegExp])[] = [
  ["list when:all", /2 reverse splits listed[\s\S]*ACME[\s\S]*1-for-20[\s\S]*BRVO/],
  ["list nasdaq when:all", /1 reverse split listed on Nasdaq[\s\S]*ACME/],
  ["show ACME", /ACME 1-for-20 reverse split[\s\S]*Acme Robotics Inc\.[\s\S]*Fractional shares:? ?rounded up/],
  ["articles ACME from:2026-01-01", /Acme Robotics Announces Reverse Stock Split/],
  ["watch ACME BRVO", /You now watch ACME and BRVO[\s\S]*ACME/],
  ["watchlist", /You watch 2 tickers[\s\S]*ACME[\s\S]*BRVO/],
  ["unwatch BRVO", /You no longer watch BRVO/],
  ["subscribe exchange:NASDAQ minratio:20", /Rule 1 is set for this channel/],
  ["subscriptions", /Nasdaq[\s\S]*1-for-20/],
  ["unsubscribe 1", /Rule 1 was removed/],
  ["test", /The test card was delivered/],
  ["calc ACME 150", /150 ACME shares at 1-for-20: 8 new shares, 7\.5 rounded up[\s\S]*STATED[\s\S]*8 whole new shares/],
  ["calc 1-for-7.7 shares:1,234.5", /160 or 161 new shares[\s\S]*about 160\.3247/],
  ["calc 150 ZZZZ", /No reverse split of ZZZZ is listed[\s\S]*ratio:1-for-20/],
  ["mute 2h", /Your alerts are muted until[\s\S]*held until then/],
  ["mute for:3d scope:channel", /This channel's alerts are muted until/],
  ["unmute", /Your alerts are no longer muted[\s\S]*sent immediately/],
  ["unmute channel", /This channel's alerts are no longer muted/],
  ["settings", /Your settings[\s\S]*America\/New_York[\s\S]*Quiet hours/],
  ["settings timezone:auckland reminders off quiet 10pm-7am", /Pacific\/Auckland[\s\S]*off[\s\S]*22:00-07:00/],
  ["settings timezone:default quiet:off reminders:on", /Your settings were changed/],
  ["settings digest:off scope:channel", /already have these values. Nothing was changed/],
  ["calendar", /upcoming ex dates?[\s\S]*Add ex dates to your calendar[\s\S]*PUBLIC_URL isn't set/],
  ["export", /Your export: 1 ticker[\s\S]*The file is in your direct messages/],
  ["export format:list", /Your watchlist as plain text: 1 ticker/],
  ["import ACME, BRVO nonsense-word", /Imported from your text: 1 ticker[\s\S]*got "nonsense-word"/],
  ["import", /What do you want to import\?/],
  ["forget", /Delete everything stored about you\?[\s\S]*your watchlist \(2 tickers\)/],
  ["why ACME", /ACME/],
  ["status", /splitwatch|deliver|poll/i],
  ["help", /\/splits list[\s\S]*\/splits watch/],
  ["", /\/splits list/],
];

describe.each(["socket", "http"] as const)("every subcommand, over %s", (via) => {
  it("is acknowledged in time and answered to the caller only", async () => {
    await open({ via });
    for (const [line, expected] of SUBCOMMANDS) {
      const answer = await answerTo(line, "general", via);
      expect(answer, `/splits ${line}`).toMatch(expected);
    }
    // Only the test card is visible in the channel.
    expect(bench.slack.messages("general").map(notificationText)).toEqual([expect.stringContaining("TEST")]);
    expect(bench.slack.user("bob").visibleMessages("general")).toEqual(bench.slack.messages("general"));
  });

  it("works in direct messages, where rules belong to the person", async () => {
    await open({ via });
    expect(await answerTo("subscribe", undefined, via)).toMatch(/Rule 1 is set for you/);
    expect(await answerTo("watch ACME", undefined, via)).toMatch(/You now watch ACME/);
    await bench.list(ACME, BRAVO, aSplitRow({ ticker: "CHRL", exchange: "OTC", ex_date: "2030-01-15" }));
    expect(bench.slack.directMessages("ada").map(notificationText)).toEqual([expect.stringContaining("CHRL")]);
    expect(bench.slack.directMessages("bob")).toEqual([]);
  });
});

describe("an invalid command line", () => {
  it.each([
    ["lst nasdaq", /list nasdaq/],
    ["show", /\/splits show ZRVNK/],
    ["list exchange:MARS", /MARS/],
    ["subscribe minratio:banana", /banana/],
    ["mute", /for: missing[\s\S]*\/splits mute for:2h/],
    ["mute for ever", /ever[\s\S]*a duration such as 90m/],
    ["settings timezone:Aukland", /Did you mean Pacific\/Auckland\?/],
    ["settings off", /off/],
    ["calc 150", /ticker or ratio[\s\S]*\/splits calc ticker:ZRVNK/],
    ["watch", /\/splits watch/],
    ["unsubscribe 99", /This channel has no rules/],
    ["nonsense & <b>", /nonsense/],
  ])("%s is answered with the parsed options and a working example", async (line, expected) => {
    await open();
    expect(
      await answerTo(line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"), "general"),
    ).toMatch(expected);
  });
});

describe("Slack's encodings of typed text", () => {
  it.each([
    ["watch <http://ACME.com|ACME>,BRVO", "You now watch"],
    ["watch $ACME, $BRVO", "You now watch ACME and BRVO"],
    ["watch\nACME\nBRVO", "You now watch ACME and BRVO"],
    ["watch “ACME”, ‘BRVO’", "You now watch ACME and BRVO"],
    ["  WATCH   acme  ;  brvo ", "You now watch ACME and BRVO"],
    ["list exchange:NASDAQ when:all", "1 reverse split listed on Nasdaq"],
    ["list Nasdaq all", "1 reverse split listed on Nasdaq"],
    ["show <https://example.com/BRVO|BRVO>", "Bravo & Sons <Holding>"],
    ["/splits show BRVO", "Bravo & Sons <Holding>"],
  ])("%j is parsed", async (line, expected) => {
    await open();
    expect(bare(await answerTo(line, "general"))).toContain(bare(expected));
  });

  it("allows a mention of the caller or a user group, not of a whole channel or another person", async () => {
    await open({ slack: { groups: ["desk"] } });
    const group = bench.slack.workspace.groups[0]?.id;
    const { id } = bench.slack.user("ada");
    const other = bench.slack.user("bob").id;
    expect(await answerTo("help subscribe", "general")).toMatch(/Who to mention in each alert: me or a user group\./);
    expect(await answerTo("subscribe mention:me", "general")).toMatch(/Rule 1 is set/);
    expect(await answerTo(`subscribe tickers:NEWS mention:<!subteam^${group}|@desk>`, "general")).toMatch(
      /Rule 2 is set/,
    );
    for (const refused of ["<!channel>", "<!here|here>", "@everyone", "channel", `<@${other}|bob>`]) {
      const answer = await answerTo(`subscribe tickers:NEWS mention:${refused}`, "general");
      expect(`${refused}: ${answer}`).not.toMatch(/Rule \d+ is set/);
    }
    await bench.list(ACME, BRAVO, aSplitRow({ ticker: "NEWS" }));
    const alert = bench.slack.messages("general").at(-1);
    expect(JSON.stringify(alert?.blocks)).toContain(`<@${id}>`);
    expect(JSON.stringify(alert?.blocks)).toContain(`<!subteam^${group}>`);
  });
});

describe("buttons", () => {
  it("page and undo, also after a restart", async () => {
    await open({ splits: MANY });
    const ada = bench.slack.user("ada");
    const list = answerOf(await ada.slash("list when:all", { channel: "general" }));
    expect(shownText(list)).not.toContain("M12");
    const watched = answerOf(await ada.slash("watch M01 M02", { channel: "general" }));
    await bench.restart();
    await ada.press(list, "Next");
    const second = ada.visibleMessages("general").find((message) => shownText(message).includes("M12"));
    if (!second) throw new Error("the second page is not visible");
    await ada.press(second, "Previous");
    expect(ada.visibleMessages("general").some((message) => /\bM02\b.*1-for-3/s.test(shownText(message)))).toBe(true);
    await ada.press(watched, "Undo");
    expect(await answerTo("watchlist", "general")).toContain("Your watchlist is empty");
    // Pages replace each other, so these are: the list, the watch answer, its undo and the watchlist.
    expect(ada.visibleMessages("general")).toHaveLength(4);
  });

  it("share an answer with the channel once, with the name of the user", async () => {
    await open();
    const answer = answerOf(await bench.slack.user("ada").slash("show ACME", { channel: "general" }));
    expect(bench.slack.messages("general")).toEqual([]);
    await bench.slack.user("ada").press(answer, "Share");
    await bench.until("it is shared", () => bench.slack.messages("general").length > 0);
    const shared = bench.slack.messages("general");
    expect(shared).toHaveLength(1);
    expect(shared.map(shownText).join()).toMatch(/ACME 1-for-20 reverse split/);
    expect(bench.slack.user("bob").visibleMessages("general")).toEqual(shared);
  });

  it("on alerts act for the user who presses them, and only they see the answer", async () => {
    await open({ splits: [BRAVO] });
    await answerTo("subscribe", "general");
    await bench.list(BRAVO, ACME);
    const alert = bench.slack.messages("general").at(-1);
    if (!alert) throw new Error("there is no alert");
    const { messages } = await bench.slack.user("bob").press(alert, "Watch ACME");
    expect(messages.map(shownText).join()).toContain("You now watch ACME");
    expect(messages.map(({ onlyFor }) => onlyFor)).toEqual([bench.slack.user("bob").id]);
    expect(bench.slack.messages("general").at(-1)).toEqual(alert);
    expect(buttonsOn(alert).length).toBeGreaterThan(0);
    expect(await answerTo("watchlist", "general")).toContain("Your watchlist is empty");
  });
});

describe("permission to change a channel's rules", () => {
  it("is granted to members, or only to admins if configured", async () => {
    await open({ settings: "slack: { restrictSubscribe: true }\n" });
    const bob = bench.slack.workspace.people.get(bench.slack.user("bob").id);
    if (bob) bob.admin = true;
    expect(await answerTo("subscribe", "general")).not.toMatch(/Rule 1 is set/);
    expect(await answerTo("subscriptions", "general")).not.toMatch(/Rule 1/);
    expect(await answerTo("mute 2h scope:channel", "general")).not.toMatch(/are muted/);
    expect(await answerTo("settings digest:on scope:channel", "general")).not.toMatch(/changed/);
    expect(await answerTo("settings scope:channel", "general")).toMatch(/This channel's settings/);
    expect(await answerTo("mute 2h", "general")).toMatch(/Your alerts are muted/);
    const asAdmin = answerOf(await bench.slack.user("bob").slash("subscribe", { channel: "general" }));
    expect(shownText(asAdmin)).toMatch(/Rule 1 is set/);
    expect(await answerTo("unsubscribe all", "general")).not.toMatch(/removed/);
    // The restriction doesn't apply to direct messages.
    expect(await answerTo("subscribe")).toMatch(/Rule 1 is set for you/);
  });

  it.each([
    ["an unclosed quote and spaces that end where the name is read", `"import scope:channel ${" ".repeat(1_000)}`],
    ["quotes around the name", '"import" scope:channel '],
    ["an invisible character in the name", "im\u200bport scope:channel "],
    ["the command's own name before it", "/splits import scope:channel "],
    ["capital letters", "IMPORT Scope=Channel "],
  ])("is checked for a command that is typed with %s", async (_form, start) => {
    await open({ settings: "slack: { restrictSubscribe: true }\n" });
    for (const file of ['{"splitwatch":1,"rules":[{}]}', 'text:{"splitwatch":1,"rules":[{}]}']) {
      expect(await answerTo(`${start}${file}`, "general")).toContain('You can\'t use "import" for this channel');
    }
    expect(await answerTo("subscriptions", "general")).not.toMatch(/Rule 1/);
  });

  it("joins a public channel, and explains the invitation to a private one", async () => {
    await open({ slack: { channels: ["open", "closed"] } });
    Object.assign(bench.slack.channel("open"), { botIsMember: false });
    Object.assign(bench.slack.channel("closed"), { botIsMember: false, kind: "private" });
    expect(await answerTo("subscribe", "open")).toMatch(/Rule 1 is set/);
    expect(await answerTo("subscribe", "closed")).toMatch(/invite/i);
    bench.upstream.splits = [ACME, BRAVO, aSplitRow({ ticker: "NEWS" })];
    await bench.run("poll-splits");
    await bench.until("the open channel has its alert", () => bench.slack.messages("open").length > 0);
    expect(bench.slack.messages("open").map(notificationText)).toEqual([expect.stringContaining("NEWS")]);
  });
});
