import { afterEach, describe, expect, it } from "vitest";
import { createRandom } from "../../support/random.ts";
import { IS_FULL_SOAK } from "../../support/soak.ts";
import { aSplitRow } from "../../support/upstream.ts";
import { SlackBench } from "./bench.ts";
import { SLACK_LIMITS } from "./server/limits.ts";
import type { SlackMessage } from "./server/workspace.ts";
import { notificationText } from "./users/message-text.ts";

let bench: SlackBench;

afterEach(() => bench.close());

const OLD = aSplitRow({ ticker: "OLD", ex_date: "2099-01-15" });
const NEWS = aSplitRow({ ticker: "NEWS", ex_date: "2099-01-15" });

/** Speed of the clock of Slack and of the app. */
const SPEED = 8;

let channels: readonly string[] = [];
let people: readonly string[] = [];

function names(kind: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${kind}-${index + 1}`);
}

/** Minimum duration of one message per destination under Slack's limits. */
function minDurationMs(): number {
  return ((channels.length + people.length) / SLACK_LIMITS.perMinute) * 60_000;
}

/** Greatest duration of the posts in relation to the minimum. Other runs delay those of a short soak. */
const MAX_DURATION_RATIO = IS_FULL_SOAK ? 1.1 : 2;

/** Prints how long the posts took in relation to Slack's limits. */
function expectAsFastAsAllowed(sent: ReturnType<typeof posts>, startedAt: number): void {
  const ratio = ((sent.at(-1)?.at ?? 0) - startedAt) / minDurationMs();
  process.stdout.write(`Slack: ${sent.length} posts in ${ratio.toFixed(2)} times the minimum duration\n`);
  expect(ratio).toBeLessThanOrEqual(MAX_DURATION_RATIO);
}

/** Opens `count` channels and `count` direct messages, all with subscriptions. */
async function open(count: number): Promise<void> {
  channels = names("channel", count);
  people = names("person", count);
  bench = await SlackBench.open({
    speed: SPEED,
    splits: [OLD],
    slack: { channels, people, limits: SLACK_LIMITS, random: createRandom(7) },
  });
  const { slack } = bench;
  for (const channel of channels) await slack.user("person-1").slash("subscribe", { channel });
  for (const person of people) await slack.user(person).slash("watch NEWS");
}

/** Number of alerts per destination. */
function deliveryCounts(): readonly number[] {
  const { slack } = bench;
  return [
    ...channels.map((channel) => announcements(slack.messages(channel))),
    ...people.map((person) => announcements(slack.directMessages(person))),
  ];
}

function announcements(messages: readonly SlackMessage[]): number {
  return messages.map(notificationText).filter((text) => text.startsWith("NEWS 1-for-20")).length;
}

const posts = () => bench.slack.calls.filter(({ method }) => method === "chat.postMessage");

describe("an alert for 200 channels and 200 people", () => {
  it("is delivered once everywhere, as fast as the rate limits allow, without a 429", async () => {
    await open(200);
    bench.upstream.splits = [OLD, NEWS];
    const startedAt = bench.clock.now();
    await bench.run("poll-splits");
    await bench.allDelivered();
    expect(deliveryCounts()).toEqual([...channels, ...people].map(() => 1));
    expectAsFastAsAllowed(posts(), startedAt);
    expect(posts().filter(({ outcome }) => outcome !== "ok")).toEqual([]);
  });

  it("is delivered to other channels on time when one is rate limited", async () => {
    await open(50);
    const channel = bench.slack.channel("channel-3").id;
    const limited = { kind: "rate-limited", retryAfter: 30 } as const;
    bench.slack.faults.add({ method: "chat.postMessage", channel, times: 1, effect: limited });
    bench.upstream.splits = [OLD, NEWS];
    const startedAt = bench.clock.now();
    await bench.run("poll-splits");
    await bench.allDelivered();
    expect(deliveryCounts()).toEqual([...channels, ...people].map(() => 1));
    const others = posts().filter(({ args }) => args.channel !== channel);
    expectAsFastAsAllowed(others, startedAt);
  });

  it("is delivered once everywhere through an outage with lost connections", async () => {
    await open(200);
    const { faults, socket } = bench.slack;
    bench.upstream.splits = [OLD, NEWS];
    await bench.run("poll-splits");
    await bench.until("the fan-out has started", () => posts().length > 60);
    const outage = [
      faults.add({ method: "chat.postMessage", share: 0.6, effect: { kind: "status", status: 503 } }),
      faults.add({ method: "chat.postMessage", share: 0.3, effect: { kind: "stored-then", end: "500" } }),
      faults.add({ method: "chat.postMessage", share: 0.3, effect: { kind: "stored-then", end: "reset" } }),
      faults.add({ method: "chat.postMessage", times: 3, effect: { kind: "hang" } }),
      faults.add({ method: "chat.postMessage", times: 3, effect: { kind: "stored-then", end: "hang" } }),
      faults.add({ method: "conversations.history", share: 0.5, effect: { kind: "status", status: 503 } }),
    ];
    socket.drop();
    await bench.until("the outage affects deliveries", () => posts().length > 130);
    socket.requestDisconnect("refresh_requested");
    for (const end of outage) end();
    await bench.allDelivered(60_000);
    expect(deliveryCounts()).toEqual([...channels, ...people].map(() => 1));
  });
});
