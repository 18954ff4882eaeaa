import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ALICE, anAttempt, aSplit, BOB, GENERAL } from "../../test/support/builders.ts";
import { type CommandBench, openCommandBench } from "../../test/support/command-bench.ts";
import type { PollReport } from "../ports/store.ts";

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
  await bench.seed({ splits: [aSplit(), aSplit({ ticker: "GONE" }, { status: "missing" })] });
});
afterEach(() => bench.close());

async function polled(parts: Partial<PollReport> = {}, { store, clock } = bench): Promise<void> {
  const at = clock.now();
  const report: PollReport = {
    resource: "splits",
    at,
    outcome: "complete",
    detail: "20 splits",
    records: 20,
    quarantined: [],
    lastCompleteAt: at,
    ...parts,
  };
  await store.polls.write(report);
}

it("isn't up to date when polls are missing, although the last one was complete", async () => {
  await polled();
  await polled({ resource: "articles" });
  await bench.clock.advance(3 * 60 * 60_000);
  const { cards } = await bench.run("status");
  expect(cards[0]).toMatchObject({
    tone: "bad",
    title: "Not up to date: the list of splits was last read 3 hours ago",
  });
  await polled();
  expect((await bench.run("status")).cards[0]).toMatchObject({
    tone: "bad",
    title: "Not up to date: press releases were last read 3 hours ago",
  });
});

it("shows source, freshness, counts, deliveries, store and version", async () => {
  await polled();
  await polled({ resource: "articles", detail: "3 new articles" });
  await bench.run("watch ACME GLOBX");
  await bench.run("subscribe");
  await bench.clock.advance(5 * 60_000);
  expect(await bench.runAsText("status")).toBe(
    [
      "Up to date: the list of splits was read 5 minutes ago",
      "Source: splits.example",
      "Splits: complete, 5 minutes ago (Mon 2 Mar 2026, 09:00 EST): 20 splits",
      "Articles: complete, 5 minutes ago (Mon 2 Mar 2026, 09:00 EST): 3 new articles",
      "Known data: 1 listed split and 1 no longer listed, 0 press releases",
      "Data quality: no issues found",
      "Subscriptions: 1 rule, 1 watchlist with 2 tickers",
      "Deliveries: none waiting",
      "Store: OK",
      "Version: 1.2.3",
      "(Refresh: status)",
    ].join("\n"),
  );
  expect((await bench.run("status")).cards[0]?.tone).toBe("good");
});

it("reports that no poll has finished yet", async () => {
  expect(await bench.runAsText("status")).toContain("The list of splits hasn't been read since startup");
});

it("shows why the last poll failed and the age of the last complete list", async () => {
  const lastCompleteAt = bench.clock.now() - 3 * 3_600_000;
  await polled({ outcome: "failed", detail: "the source answered 500", lastCompleteAt });
  const text = await bench.runAsText("status");
  expect(text).toContain("The last poll of splits failed; last complete list: 3 hours ago");
  expect(text).toContain("the source answered 500; last complete: Mon 2 Mar 2026, 06:00 EST");
  expect((await bench.run("status")).cards[0]?.tone).toBe("warning");
});

it("states why a list is suspicious", async () => {
  await bench.seed({ header: { suspicion: { seen: 1, reason: "an empty list, where 20 were expected" } } });
  await polled({ outcome: "suspicious", detail: "an empty list" });
  const text = await bench.runAsText("status");
  expect(text).toContain("The source's latest list is suspicious and isn't used yet; last complete list: just now");
  expect(text).toContain("it showed an empty list, where 20 were expected.");
});

it("shows quarantined records with their reasons", async () => {
  const quarantined = Array.from({ length: 10 }, (_, index) => `T${index}: ex_date: got "soon"`);
  await polled({ quarantined });
  const text = await bench.runAsText("status");
  expect(text).toContain("10 unusable records are quarantined.");
  expect(text).toContain('- Quarantined split record | T0: ex_date: got "soon"');
  expect(text).toContain("The first 8 are shown.");
});

it("shows quarantined documents with their reasons, before the records", async () => {
  const reason =
    "wire.example/release: quarantined since 2026-03-02 14:00 UTC, because reading it took more than 5 s of CPU time";
  const opened = await openCommandBench({ quarantinedDocuments: () => [reason] });
  try {
    const text = await opened.runAsText("status");
    expect(text).toContain("1 document is quarantined: reading takes too much time or memory until it changes.");
    expect(text).toContain(`- Quarantined document | ${reason}`);
  } finally {
    await opened.close();
  }
});

it("names the caller's issues and counts those of others anonymously", async () => {
  const at = bench.clock.now();
  await bench.store.pauses.pause(GENERAL, "no permission", at);
  await bench.store.pauses.pause({ platform: "web", kind: "channel", id: "secret-plans" }, "it is gone", at);
  await bench.store.pauses.pause({ platform: "web", kind: "channel", id: "other" }, "it is gone", at);
  await bench.store.pauses.pause(ALICE, "messages are closed", at);
  const text = await bench.runAsText("status");
  expect(text).not.toContain("here (1 destination)");
  expect(text).toContain("- Paused here | no permission; splitwatch tries again with the next alert");
  expect(text).toContain("- Paused for you | messages are closed; splitwatch tries again with the next alert");
  expect(text).toContain("- Paused on the web page (2 destinations) | it is gone");
  expect(text).not.toContain("secret-plans");
  expect(await bench.runAsText("status", { person: BOB, destination: BOB, mayManage: async () => true })).toContain(
    "Paused on the web page (1 destination)",
  );
});

it("names a platform that rejects the credentials, since when, and the next try", async () => {
  const since = bench.clock.now();
  const rejected = { since, retryAt: since + 600_000 };
  const opened = await openCommandBench({
    deliveries: {
      platformProblems: () => [{ name: "discord", reason: "Discord rejects the token", rejected }],
    },
  });
  try {
    await polled({}, opened);
    const text = await opened.runAsText("status");
    expect(text.split("\n")[0]).toBe("Discord can't be used; the list of splits was read just now");
    expect(text).toContain(
      "- Discord can't be used | Discord rejects the token; rejected since Mon 2 Mar 2026, 09:00 EST, next try: Mon 2 Mar 2026, 09:10 EST",
    );
  } finally {
    await opened.close();
  }
});

it("counts waiting deliveries", async () => {
  await bench.run("test");
  expect(await bench.runAsText("status")).toContain("Deliveries: 1 waiting");
});

it.each([
  ["status", () => bench.run("status")],
  ["the overview", () => bench.screens.overview(GENERAL)],
])("reads the settings of all destinations only while deliveries wait: %s", async (_name, show) => {
  const readSettings = vi.spyOn(bench.store.destinationSettings, "all");
  await show();
  expect(readSettings).not.toHaveBeenCalled();
  await bench.run("test");
  await show();
  expect(readSettings).toHaveBeenCalledOnce();
});

it("shows the notes of the source", async () => {
  const notes = ["The wires come later."];
  const source = {
    id: "sample",
    name: "the sample",
    sample: true,
    notes: () => notes,
    problem: () => null,
    releaseText: () => null,
    live: null,
  };
  const sampled = await openCommandBench({ source });
  try {
    const text = await sampled.runAsText("status");
    expect(text).toContain("The wires come later.");
    expect(text).toContain("Source: the sample (sample data)");
  } finally {
    await sampled.close();
  }
});

it("shows the first problems of the source's data and counts the others", async () => {
  const notes = ["splits.jsonl: cannot be read"];
  const trouble: { problem: string | null } = { problem: null };
  const source = {
    id: "f",
    name: "a folder",
    sample: false,
    notes: () => notes,
    problem: () => trouble.problem,
    releaseText: () => null,
    live: null,
  };
  const opened = await openCommandBench({ source });
  try {
    for (const resource of ["splits", "articles"] as const) {
      const at = opened.clock.now();
      const report = { resource, at, detail: "read", records: 1, quarantined: [], lastCompleteAt: at } as const;
      await opened.store.polls.write({ ...report, outcome: "complete" });
    }
    expect((await opened.run("status")).cards[0]).toMatchObject({ tone: "good", title: expect.stringContaining("Up") });
    trouble.problem = "splits.jsonl: cannot be read";
    notes.push(...Array.from({ length: 5 }, (_, index) => `splits.jsonl line ${index}: no ticker`));
    const { cards } = await opened.run("status");
    expect([cards[0]?.tone, cards[0]?.title]).toEqual(["bad", "Not up to date: splits can't be read"]);
    const problem =
      "Splits can't be read now, so answers may be incomplete and alerts late: splits.jsonl: cannot be read.";
    expect(cards[0]?.lines).toEqual([problem, ...notes.slice(1, 4), "And 2 more notes."]);
  } finally {
    await opened.close();
  }
});

it("counts the failed messages of a destination", async () => {
  const { outbox } = bench.store;
  for (const messageId of ["m1", "m2"]) {
    bench.clock.skip(1_000);
    await bench.run("test");
    const deliveries = (await outbox.waiting([GENERAL])).map(({ delivery }) => delivery.id);
    await outbox.saveAttempt(anAttempt({ to: GENERAL, messageId, body: {}, deliveries }));
    await outbox.markFailed(messageId, "the card is malformed", bench.clock.now());
  }
  expect(await bench.runAsText("status")).toContain("- Failed here (2 messages) | the card is malformed");
});

it("counts paused destinations and always names the caller's", async () => {
  const at = bench.clock.now();
  await bench.store.pauses.pause(GENERAL, "no permission", at);
  for (let n = 0; n < 30; n += 1) {
    await bench.store.pauses.pause({ platform: "web", kind: "channel", id: `c${n}` }, "it is gone", at + 1);
  }
  const text = await bench.runAsText("status");
  expect(text).toContain("paused: 31 destinations");
  expect(text).toContain("- Paused here | no permission");
  expect(text).toContain("- Paused on the web page (20 destinations) | it is gone");
  expect(text).toContain("- Paused, not shown | 10 destinations");
  await bench.run("subscribe");
  expect(await bench.runAsText("subscriptions")).toContain("no permission");
});

it("counts inconsistent splits and names the first", async () => {
  const inconsistent = ["GAMA", "BETA", "ALFA", "EPSI", "DELT", "ZETA"].map((ticker) =>
    aSplit({ ticker, ratio: "10:77" }),
  );
  await bench.seed({ splits: [aSplit(), ...inconsistent.slice(0, 1)] });
  expect(await bench.runAsText("status")).toContain("Data quality: 1 split with data warnings: GAMA");
  await bench.seed({ splits: inconsistent });
  expect(await bench.runAsText("status")).toContain(
    "Data quality: 6 splits with data warnings: ALFA, BETA, DELT, EPSI, GAMA and 1 more",
  );
});
