import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunningApp, titlesOf, type WebMessage } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";
import { anEstablishedUpstream, ESTABLISHED, type EstablishedUpstream } from "../support/established-upstream.ts";
import { aSplitRow } from "../support/upstream.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Starts at 10:00 in New York on Tuesday 3 March 2026. Two splits are new, and a known one changes. */
const NEWA = aSplitRow({ ticker: "NEWA", company: "New A Inc.", ratio: "1:30", ex_date: "2026-03-27" });
const NEWB = aSplitRow({ ticker: "NEWB", company: "New B Inc.", ratio: "1:40", ex_date: "2026-03-27" });
const NEWA_STEEPER = { ...NEWA, ratio: "1:35" };

let established: EstablishedUpstream;
let app: RunningApp;

beforeEach(async () => {
  established = await anEstablishedUpstream();
  app = await established.start();
  await app.poll(4);
});

afterEach(() => established.end());

async function show(...rows: readonly unknown[]): Promise<void> {
  established.upstream.splits = [...ESTABLISHED, ...rows];
  await app.poll();
}

async function asked(line: string, where: Parameters<RunningApp["run"]>[2] = { channel: "desk" }): Promise<string> {
  return (await app.run("ada", line, where)).map(cardText).join("\n");
}

/** Advances to the time and sends what is due. */
async function comes(time: string): Promise<void> {
  app.clock.setTo(time);
  await app.clock.advance(1_000);
}

/** Restarts the app at that time. */
async function restartAt(time: string, held = 0): Promise<void> {
  await established.stop(app);
  established.clock.setTo(time);
  app = await established.start({ held });
}

/** Waits until everything that is not held is sent. */
async function allOut(held = app.held): Promise<void> {
  app.held = held;
  await waitUntil(`only ${held} wait`, async () => (await app.metric("splitwatch_outbox_pending")) === held);
}

async function receivedMessages(count: number, channel?: string): Promise<readonly WebMessage[]> {
  const messages = (): Promise<readonly WebMessage[]> => app.messages("ada", channel);
  await waitUntil(`${count} messages are there`, async () => (await messages()).length >= count);
  await allOut();
  expect(await messages()).toHaveLength(count);
  return messages();
}

/** One line per message with its tickers in order. */
function tickersIn(messages: readonly WebMessage[]): readonly string[] {
  return messages.map((message) =>
    titlesOf([message])
      .map((title) => /\b(?:NEW|EST|FRI)[A-Z]\b/.exec(title)?.[0])
      .join(" "),
  );
}

/** The digests that each person received. */
async function receivedTickers(): Promise<readonly string[]> {
  const all = ["ada", "hoku", "nora"].map(async (name) => tickersIn(await app.messages(name)).join(", "));
  return Promise.all(all);
}

async function remind(time: string, zone: string): Promise<void> {
  app.clock.setTo(time);
  await app.tick(zone === "" ? "remind" : `remind ${zone}`);
  await allOut();
}

/** The reminders that each person received. */
async function remindedOf(name: string): Promise<readonly string[]> {
  const titles = titlesOf(await app.messages(name));
  return titles.flatMap((title) => {
    if (title.startsWith("Reminder"))
      return [`${/NEWT|FRID/.exec(title)?.[0]} ${/today|tomorrow|in \d/.exec(title)?.[0]}`];
    return /in effect/.test(title) ? [`${/NEWT|FRID/.exec(title)?.[0]} in effect`] : [];
  });
}

describe("a muted channel", () => {
  beforeEach(async () => {
    await app.run("ada", "subscribe", { channel: "desk" });
    await show(NEWA);
    await receivedMessages(1, "desk");
    await app.run("ada", "mute 2h scope:channel", { channel: "desk" });
    app.held = 1;
    await show(NEWA_STEEPER);
    app.held = 2;
    await show(NEWA_STEEPER, NEWB);
  });

  it("receives nothing, and why and status show what is held", async () => {
    await receivedMessages(1, "desk");
    expect(await asked("why NEWB")).toMatch(/held until Tue 3 Mar 2026, 12:1\d EST \(muted\) \(matched: rule 1\)/i);
    const status = await asked("status");
    expect(status).toMatch(/none waiting, 2 held/);
    expect(status).toMatch(/^Up to date/);
    expect((await app.get("/api/overview")).json).toMatchObject({ deliveries: { waiting: 0, held: 2, problems: [] } });
    expect(await asked("settings scope:channel")).toMatch(
      /held until [^\n]+ \(muted\)[\s\S]*2 held alerts will be sent together then/,
    );
  });

  it("receives everything once, together and in order, when the mute ends", async () => {
    await comes("2026-03-03T17:05:00Z");
    await receivedMessages(1, "desk");
    await comes("2026-03-03T17:30:00Z");
    app.held = 0;
    const messages = await receivedMessages(2, "desk");
    expect(tickersIn(messages)).toEqual(["NEWA", "NEWA NEWB"]);
    expect(messages.map(({ replyTo }) => replyTo)).toEqual([null, null]);
    await comes("2026-03-03T20:00:00Z");
    await receivedMessages(2, "desk");
  });

  it("receives everything when it is unmuted, and is muted again by an undo", async () => {
    await app.clock.advance(60_000);
    const answer = await app.run("ada", "unmute scope:channel", { channel: "desk" });
    app.held = 0;
    expect(tickersIn(await receivedMessages(2, "desk"))).toEqual(["NEWA", "NEWA NEWB"]);
    const [undo] = answer.flatMap(({ buttons }) => buttons);
    expect(undo).toMatchObject({ label: "Undo", command: expect.stringMatching(/^mute for:1h\d+m scope:channel$/) });
    await app.run("ada", undo?.command ?? "", { channel: "desk" });
    app.held = 1;
    await show(NEWA, NEWB);
    await receivedMessages(2, "desk");
  });

  it("still receives a test, which says that alerts are held", async () => {
    expect(await asked("test")).toMatch(/delivered[\s\S]*Alerts are held here until .+ \(muted\), but tests aren.t/);
    const messages = await receivedMessages(2, "desk");
    expect(titlesOf(messages).at(-1)).toBe("Test: splitwatch can post here");
  });

  it("stays muted across restarts, and loses nothing if the mute ends in between", async () => {
    await restartAt("2026-03-03T16:00:00Z", 2);
    await receivedMessages(1, "desk");
    await restartAt("2026-03-05T16:00:00Z");
    const messages = await receivedMessages(2, "desk");
    expect(tickersIn(messages)).toEqual(["NEWA", "NEWA NEWB"]);
    const [late] = messages.at(-1)?.body.cards ?? [];
    expect(late?.badges).toContain("LATE");
    expect(late?.lines[0]).toMatch(/^This alert was held \(muted\): the event was seen on Tue 3 Mar/);
  });

  it("does not delay other destinations", async () => {
    await app.run("ada", "watch NEWB", { channel: "desk" });
    await app.run("ada", "subscribe", { channel: "other" });
    app.held = 3;
    await show(NEWA_STEEPER, { ...NEWB, ratio: "1:45" });
    expect(tickersIn(await receivedMessages(1))).toEqual(["NEWB"]);
    expect(tickersIn(await receivedMessages(1, "other"))).toEqual(["NEWB"]);
    await receivedMessages(1, "desk");
  });
});

describe("quiet hours", () => {
  it("end at seven on the night of a clock change, also after a restart", async () => {
    await app.run("ada", "watch NEWA NEWB", { direct: true });
    await app.run("ada", "settings quiet:22:00-07:00", { direct: true });
    app.clock.setTo("2026-03-08T02:30:00Z");
    await show(NEWA);
    expect(await receivedMessages(1)).toHaveLength(1);
    app.clock.setTo("2026-03-08T03:00:00Z");
    app.held = 1;
    await show(NEWA, NEWB);
    expect(await asked("why NEWB")).toMatch(/held until Sun 8 Mar 2026, 07:00 EDT \(quiet hours\)/i);
    await restartAt("2026-03-08T10:58:00Z", 1);
    await receivedMessages(1);
    await comes("2026-03-08T11:00:00Z");
    app.held = 0;
    expect(tickersIn(await receivedMessages(2))).toEqual(["NEWA", "NEWB"]);
  });
});

describe("a digest", () => {
  /** People in Auckland, Honolulu and New York with the same watchlist. */
  beforeEach(async () => {
    for (const [name, zone] of [
      ["ada", "Pacific/Auckland"],
      ["hoku", "Honolulu"],
      ["nora", "default"],
    ] as const) {
      await app.run(name, "watch NEWA NEWB", { direct: true });
      await app.run(name, `settings digest:on timezone:${zone}`, { direct: true });
    }
  });

  it("is sent at eight in each destination's time zone, in one message", async () => {
    app.held = 3;
    await show(NEWA);
    app.held = 6;
    await show(NEWA, NEWB);
    expect(await asked("why NEWA", { direct: true })).toMatch(/held until Wed 4 Mar 2026, 08:00 GMT\+13 \(digest\)/i);
    // 08:00 in Honolulu.
    await comes("2026-03-03T18:00:00Z");
    await allOut(4);
    expect(await receivedTickers()).toEqual(["", "NEWA NEWB", ""]);
    await comes("2026-03-03T18:59:58Z");
    expect(await receivedTickers()).toEqual(["", "NEWA NEWB", ""]);
    await comes("2026-03-03T19:00:00Z");
    await allOut(2);
    expect(await receivedTickers()).toEqual(["NEWA NEWB", "NEWA NEWB", ""]);
    await comes("2026-03-04T13:00:00Z");
    await allOut(0);
    expect(await receivedTickers()).toEqual(["NEWA NEWB", "NEWA NEWB", "NEWA NEWB"]);
  });

  it("does not hold alerts that would be too late", async () => {
    await app.run("ada", "settings timezone:default", { direct: true });
    await app.run("ada", "watch NEWD", { direct: true });
    app.held = 3;
    await show(NEWA);
    expect(await receivedTickers()).toEqual(["", "", ""]);
    await show(NEWA, aSplitRow({ ticker: "NEWD", company: "New D Inc.", ex_date: "2026-03-04" }));
    expect(tickersIn(await receivedMessages(1))).toEqual(["NEWD"]);
    await comes("2026-03-04T13:00:00Z");
    app.held = 0;
    await receivedMessages(2);
  });

  it("that is turned off releases what it held", async () => {
    app.held = 3;
    await show(NEWA);
    app.held = 2;
    expect(await asked("settings digest:off", { direct: true })).toMatch(/Digest: on, next .* → off/);
    await receivedMessages(1);
  });
});

describe("reminders", () => {
  const TUES = aSplitRow({ ticker: "NEWT", company: "New T Inc.", ex_date: "2026-03-10" });
  const FRID = aSplitRow({ ticker: "FRID", company: "Friday Inc.", ex_date: "2026-03-13" });

  beforeEach(async () => {
    for (const [name, zone] of [
      ["ada", "Pacific/Auckland"],
      ["hoku", "Pacific/Honolulu"],
      ["nora", "default"],
    ] as const) {
      await app.run(name, "watch NEWT FRID", { direct: true });
      await app.run(name, `settings timezone:${zone}`, { direct: true });
    }
    await show(TUES, FRID);
  });

  it("are sent once at nine in each destination's time zone, for the right trading day", async () => {
    // Nine in Honolulu on Monday, the last trading day before; nine in Auckland on Tuesday is an hour later.
    await remind("2026-03-09T13:00:00Z", "");
    expect([await remindedOf("nora"), await remindedOf("hoku"), await remindedOf("ada")]).toEqual([
      ["NEWT tomorrow"],
      [],
      [],
    ]);
    expect((await app.run("ada", "why NEWT", { direct: true })).map(cardText).join()).toMatch(
      /not sent yet: it will be sent with the next reminders here/i,
    );
    await remind("2026-03-09T19:00:00Z", "Pacific/Honolulu");
    await remind("2026-03-09T19:00:00Z", "");
    await remind("2026-03-09T20:00:00Z", "Pacific/Auckland");
    for (const name of ["ada", "hoku", "nora"]) expect(await remindedOf(name)).toEqual(["NEWT tomorrow"]);
    // Three in the afternoon of Tuesday in Auckland is still Monday in New York.
    await remind("2026-03-10T02:00:00Z", "Pacific/Auckland");
    expect(await remindedOf("ada")).toEqual(["NEWT tomorrow"]);
    await remind("2026-03-10T13:00:00Z", "");
    await remind("2026-03-10T19:00:00Z", "Pacific/Honolulu");
    await remind("2026-03-10T20:00:00Z", "Pacific/Auckland");
    for (const name of ["ada", "hoku", "nora"])
      expect(await remindedOf(name)).toEqual(["NEWT tomorrow", "NEWT in effect"]);
  });

  it("for a Friday are sent in Auckland on Monday, which is Sunday in New York, also across a restart", async () => {
    await remind("2026-03-12T13:00:00Z", "");
    await remind("2026-03-12T20:00:00Z", "Pacific/Auckland");
    await remind("2026-03-13T02:00:00Z", "Pacific/Auckland");
    await remind("2026-03-13T13:00:00Z", "");
    await restartAt("2026-03-15T20:01:00Z");
    await receivedMessages(3);
    expect((await remindedOf("ada")).filter((one) => one.startsWith("FRID"))).toEqual([
      "FRID tomorrow",
      "FRID in effect",
    ]);
    await restartAt("2026-03-16T14:00:00Z");
    await remind("2026-03-16T20:00:00Z", "Pacific/Auckland");
    expect((await remindedOf("nora")).filter((one) => one.startsWith("FRID"))).toEqual([
      "FRID tomorrow",
      "FRID in effect",
    ]);
    expect((await remindedOf("ada")).filter((one) => one.startsWith("FRID"))).toEqual([
      "FRID tomorrow",
      "FRID in effect",
    ]);
  });

  it("that are off omit the reminder but not the effective alert, and why says so", async () => {
    await app.run("nora", "settings reminders:off", { direct: true });
    await remind("2026-03-09T13:00:00Z", "");
    await remind("2026-03-10T13:00:00Z", "");
    expect(await remindedOf("nora")).toEqual(["NEWT in effect"]);
    expect((await app.run("nora", "why NEWT", { direct: true })).map(cardText).join()).toMatch(
      /not sent: reminders are off here/i,
    );
  });

  it("show times in the destination's time zone", async () => {
    await remind("2026-03-09T20:00:00Z", "Pacific/Auckland");
    const reminder = (await app.messages("ada")).flatMap(({ body }) => body.cards).at(-1);
    expect(reminder?.footer).toBe("Seen Tue 10 Mar 2026, 09:00 GMT+13");
  });
});
