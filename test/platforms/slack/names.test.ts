import { afterEach, expect, it } from "vitest";
import { aSplitRow } from "../../support/upstream.ts";
import { SlackBench } from "./bench.ts";
import { ACME, BRAVO, MONDAY } from "./rows.ts";

let bench: SlackBench;

afterEach(() => bench.close());

/** Names on a list of the operator's view. */
async function listed(list: string, destination = ""): Promise<readonly string[]> {
  const query = new URLSearchParams({ destination, ...(list === "queues" ? { state: "paused" } : {}) });
  const answer = await fetch(`${bench.address}/api/operator/${list}?${query.toString()}`);
  const { items } = (await answer.json()) as { items: readonly { to: { name: string } }[] };
  return items.map(({ to }) => to.name);
}

async function open(): Promise<void> {
  bench = await SlackBench.open({ now: MONDAY, splits: [ACME, BRAVO], slack: { channels: ["desk", "open"] } });
  Object.assign(bench.slack.channel("desk"), { kind: "private" });
}

function subscribe(channel: string): Promise<string> {
  return bench.slack.user("ada").answerTo("subscribe", { channel });
}

it("the operator sees the names of channels, workspaces and people, and finds them by name", async () => {
  await open();
  for (const channel of ["desk", "open"]) await subscribe(channel);
  const ids = ["desk", "open"].map((name) => bench.slack.channel(name).id);
  expect(await listed("rules")).toEqual([
    `#desk in splits-test on Slack (T0SPLITS/${ids[0]})`,
    `#open in splits-test on Slack (T0SPLITS/${ids[1]})`,
  ]);
  expect(await listed("rules", "DESK")).toHaveLength(1);
  expect(await listed("rules", "splits-TEST")).toHaveLength(2);
});

it("a private channel has its id without the optional scope", async () => {
  await open();
  bench.slack.scopes.delete("groups:read");
  await subscribe("desk");
  expect(await listed("rules")).toEqual([`#T0SPLITS/${bench.slack.channel("desk").id} on Slack`]);
});

it("names of people without a watchlist or rules aren't stored, and are deleted with forget", async () => {
  await open();
  const ada = bench.slack.user("ada");
  const namedPeople = async (): Promise<number> => (await listed("queues", "ada")).length;
  await ada.answerTo("list");
  bench.slack.faults.add({ method: "chat.postMessage", effect: { kind: "error", code: "messages_tab_disabled" } });
  await ada.answerTo("watch NEWS");
  bench.upstream.splits = [ACME, BRAVO, aSplitRow({ ticker: "NEWS" })];
  await bench.run("poll-splits");
  await bench.until("the person is paused", () => bench.log.count("destination paused") === 1);
  expect(await listed("queues")).toEqual([`ada in splits-test, direct message on Slack (T0SPLITS/${ada.id})`]);
  expect(await namedPeople()).toBe(1);
  await ada.answerTo("forget confirm:yes");
  expect(await namedPeople()).toBe(0);
});

it("status names paused destinations and their next try for the operator, and only counts them for others", async () => {
  await open();
  for (const channel of ["desk", "open"]) await subscribe(channel);
  bench.slack.channel("desk").archived = true;
  bench.upstream.splits = [ACME, BRAVO, aSplitRow({ ticker: "NEWS" })];
  await bench.run("poll-splits");
  await bench.until("the channel is paused", () => bench.log.count("destination paused") === 1);
  const [card] = await bench.onWeb("operator", "status");
  const text = JSON.stringify(card);
  expect(text).toMatch(/Paused #desk in splits-test on Slack \(T0SPLITS\/\w+\)/);
  expect(text).toMatch(/the channel is archived; unarchive it in Slack; next try: /);
  const others = await bench.slack.user("bob").answerTo("status", { channel: "open" });
  expect(others).toContain("Paused on Slack");
  expect(others).not.toContain("#desk");
});
