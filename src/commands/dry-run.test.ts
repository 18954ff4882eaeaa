import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aSplit, GENERAL } from "../../test/support/builders.ts";
import { announcedEvent, type CommandBench, IN_GENERAL, openCommandBench } from "../../test/support/command-bench.ts";
import type { Changed, EventId } from "../domain/alert/event.ts";
import type { SplitId } from "../domain/split/split.ts";
import { DAY_MS } from "../domain/time/day.ts";

/** Listed before splitwatch followed the source, so there is no event about them. */
const OLD = [
  aSplit({ ticker: "OLDA", dateAnnounced: "2026-02-27", exDate: "2026-03-10" }),
  aSplit(
    { ticker: "OLDB", exchange: "NYSE", dateAnnounced: "2026-02-10", exDate: "2026-02-20" },
    { id: "old-b" as SplitId },
  ),
  aSplit(
    { ticker: "OLDC", dateAnnounced: "2025-12-01", exDate: "2026-01-05" },
    { id: "old-c" as SplitId, status: "closed" },
  ),
];

const SEEN = aSplit({ ticker: "SEEN", dateAnnounced: "2026-02-26", ratio: "1:50" }, { id: "seen" as SplitId });

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
  await bench.seed({ splits: [...OLD, SEEN] });
  const at = bench.clock.now() - 3 * DAY_MS;
  const announced = announcedEvent(SEEN, { at });
  const changed: Changed = {
    ...announced,
    kind: "changed",
    id: "seen.2" as EventId,
    at: at + 1,
    flapping: false,
    was: { ...SEEN.record, ratioText: "1:40" },
    terms: ["ratio"],
  };
  await bench.commit([
    announced,
    changed,
    announcedEvent(OLD[2] ?? SEEN, { id: "too-old" as EventId, at: bench.clock.now() - 31 * DAY_MS }),
    announcedEvent(OLD[2] ?? SEEN, { id: "sample" as EventId, sample: true, at }),
  ]);
});
afterEach(() => bench.close());

describe("a rule's answer", () => {
  it("states what the rule would have sent in the last 30 days", async () => {
    expect(await bench.runAsText("subscribe")).toContain(
      "In the last 30 days it would have sent 5 alerts, such as OLDA announced on Fri 27 Feb 2026, SEEN changed on Fri 27 Feb 2026 and SEEN announced on Fri 27 Feb 2026.",
    );
    expect(await bench.runAsText("subscribe exchange:OTC")).toContain(
      "In the last 30 days it would have sent no alerts.",
    );
    expect(await bench.runAsText("subscribe rule:1 minratio:50 events:announced")).toContain(
      "In the last 30 days it would have sent 1 alert: SEEN announced on Fri 27 Feb 2026.",
    );
  });

  it("says that no event is known yet", async () => {
    const empty = await openCommandBench();
    expect(await empty.runAsText("subscribe")).toContain("no alerts: no event of that time is known yet.");
    await empty.close();
  });
});

it("subscriptions counts the alerts of each rule", async () => {
  await bench.run("subscribe");
  await bench.run("subscribe exchange:NYSE");
  await bench.run("subscribe exchange:OTC");
  const { cards } = await bench.run("subscriptions");
  expect(cards[0]?.rows.map(({ title }) => title)).toEqual([
    "Rule 1: 5 alerts in the last 30 days",
    "Rule 2: 2 alerts in the last 30 days",
    "Rule 3: no alerts in the last 30 days",
  ]);
});

describe("a preview", () => {
  it("shows the alerts of a rule, changes nothing, and saves the rule with a button", async () => {
    const { cards } = await bench.run("subscribe exchange:NYSE preview:on");
    expect(cards[0]).toMatchObject({
      title: "This rule would have sent 2 alerts in the last 30 days",
      rows: [{ title: "Fri 20 Feb 2026, OLDB", detail: "in effect" }, { title: "Tue 10 Feb 2026, OLDB" }],
      buttons: [{ label: "Save this rule", command: "subscribe exchange:NYSE" }],
    });
    expect(await bench.store.rules.at(GENERAL)).toEqual([]);
    await bench.run(cards[0]?.buttons[0]?.command ?? "");
    expect(await bench.store.rules.at(GENERAL)).toMatchObject([{ exchanges: ["NYSE"] }]);
  });

  it("of a changed rule keeps the current one", async () => {
    await bench.run("subscribe");
    const { cards } = await bench.run("subscribe rule:1 exchange:NYSE preview:on");
    expect(cards[0]?.buttons[0]?.command).toBe("subscribe rule:1 exchange:NYSE");
    expect(await bench.store.rules.at(GENERAL)).toMatchObject([{ exchanges: [] }]);
  });

  it("needs the permission to change the channel, but no room for data", async () => {
    const denied = { ...IN_GENERAL, mayManage: async () => "no" };
    expect((await bench.run("subscribe preview:on", denied)).cards[0]?.tone).toBe("bad");
    const full = { ...IN_GENERAL, reserveRoom: async () => "No room." };
    expect((await bench.run("subscribe preview:on", full)).cards[0]?.title).toMatch(/^This rule would have sent/);
  });
});

it("compares at most 2,000 events, the newest ones", async () => {
  const at = bench.clock.now() - DAY_MS;
  const many = Array.from({ length: 2_100 }, (_, index) =>
    announcedEvent(SEEN, { id: `many-${index}` as EventId, at: at + index }),
  );
  await bench.commit(many);
  expect(await bench.runAsText("subscribe")).toContain(
    "it would have sent at least 2,000 alerts, such as SEEN announced",
  );
});
