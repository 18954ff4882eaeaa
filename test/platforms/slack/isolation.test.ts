import { afterEach, describe, expect, it } from "vitest";
import { aSplitRow } from "../../support/upstream.ts";
import { SlackBench } from "./bench.ts";
import { ACME, BRAVO, MONDAY } from "./rows.ts";
import type { SlackTeam } from "./server/team.ts";
import { openBrowser } from "./users/browser.ts";

let bench: SlackBench;
let slow: SlackTeam;
let other: SlackTeam;

afterEach(() => bench.close());

const CHANNELS = Array.from({ length: 30 }, (_, index) => `channel-${index + 1}`);

/** Real milliseconds, longer than any other wait of the test. */
const NEVER_MS = 20_000;

const NEWS = aSplitRow({ ticker: "NEWS" });
const MORE = aSplitRow({ ticker: "MORE" });

const unanswered = () =>
  bench.slack.calls.filter(({ method, outcome }) => method === "chat.postMessage" && outcome === "");

function answerTo(team: SlackTeam, line: string, channel: string): Promise<string> {
  return team.user("ada").answerTo(line, { channel, via: "http" });
}

describe("a workspace for which Slack does not answer", () => {
  it("does not delay alerts, commands or home tabs of another workspace", async () => {
    const settings = "slack: { messagesPerMinute: 6000 }\n";
    bench = await SlackBench.open({ now: MONDAY, splits: [ACME, BRAVO], many: true, via: "http", settings });
    slow = bench.slack.addTeam({ channels: CHANNELS });
    other = bench.slack.addTeam();
    for (const team of [slow, other]) await openBrowser(bench).install(team);
    for (const channel of CHANNELS) await answerTo(slow, "subscribe", channel);
    await answerTo(other, "subscribe", "general");
    for (const channel of CHANNELS)
      bench.slack.faults.add({ channel: slow.channel(channel).id, effect: { kind: "latency", ms: NEVER_MS } });
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("Slack does not answer", () => unanswered().length >= 20);
    bench.upstream.splits = [ACME, BRAVO, NEWS, MORE];
    await bench.run("poll-splits");
    await bench.until("the other workspace has its alerts", () => other.messages("general").length === 2);
    expect(await answerTo(other, "show NEWS", "general")).toContain("NEWS");
    await other.user("ada").home("http").open();
    expect(unanswered().every(({ team }) => team === slow.workspace.team.id)).toBe(true);
    expect(unanswered()).toHaveLength(20);
  });
});
