import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ArticleRow, SplitRow } from "../../src/data-service/schema.ts";
import {
  GULLFOSS_REPORTS,
  ORBITAL_LOOMS_SPLITS,
  TARN_LAKE_POSTPONES,
  VELM_SEEKS_APPROVAL,
} from "../fixtures/story/releases.ts";
import { cardsOf, copyFolder, type RunningApp, startApp, temporaryFolder, type WebMessage } from "../support/app.ts";
import { aDataFolder } from "../support/data-folder.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { aSplitRow } from "../support/upstream.ts";

/**
 * Four weeks in March 2026 for a channel with the default rule and three watchlists, with the embedded data service reading a
 * folder. The same steps run without interruption, with a clean restart after each step, and with a power cut after each
 * step: the alerts must be the same.
 */

const HARBOR = row("HRBR", { ratio: "1:5", ex_date: "2026-05-04", date_announced: "2026-02-20" });
const ORBITAL = row("ORBT", { ratio: "1:20", ex_date: "2026-03-12", date_announced: "2026-03-05" });
const ORBITAL_CORRECTED = { ...ORBITAL, ratio: "1:25", ex_date: "2026-03-19" };
const ORBITAL_AGAIN = row("ORBT", { ratio: "1:10", ex_date: "2026-04-01", date_announced: "2026-03-23" });
const QUILL = row("QUIL", { ratio: "1:8", ex_date: "2026-03-18", date_announced: "2026-03-06" });
const TARN = row("TARN", {
  company: "Tarn Lake Mining Corp.",
  exchange: "NYSEAMERICAN",
  ratio: "1:10",
  ex_date: "2026-03-24",
});
const TARN_MOVED = { ...TARN, ex_date: "2026-04-02" };

type Step = (story: Story) => Promise<void>;

/** Each step ends with a poll or a tick; restarts happen between steps. */
const STEPS: readonly Step[] = [
  // Splits listed at the first poll make no alerts.
  (story) => story.at("2026-03-02T15:00Z").list([HARBOR]),
  (story) => story.at("2026-03-05T15:00Z").list([HARBOR, ORBITAL]),
  (story) => story.at("2026-03-05T17:00Z").publish(ORBITAL_LOOMS_SPLITS),
  (story) => story.at("2026-03-06T15:00Z").list([HARBOR, ORBITAL, QUILL]),
  // Four days later both terms are corrected together.
  (story) => story.at("2026-03-09T15:00Z").list([HARBOR, ORBITAL_CORRECTED, QUILL]),
  (story) => story.at("2026-03-10T15:00Z").list([HARBOR, ORBITAL_CORRECTED]),
  (story) => story.at("2026-03-10T16:00Z").poll(),
  (story) => story.at("2026-03-11T15:00Z").list([HARBOR, ORBITAL_CORRECTED, QUILL]),
  // The old ex date of the corrected split: nothing is due.
  (story) => story.at("2026-03-12T15:00Z").list([HARBOR, ORBITAL_CORRECTED, QUILL, TARN]),
  (story) => story.at("2026-03-12T19:00Z").remind(),
  (story) => story.at("2026-03-13T15:00Z").publish(TARN_LAKE_POSTPONES),
  (story) => story.at("2026-03-16T15:00Z").publish(VELM_SEEKS_APPROVAL, GULLFOSS_REPORTS),
  (story) => story.at("2026-03-16T16:00Z").list([HARBOR, ORBITAL_CORRECTED, QUILL, TARN_MOVED]),
  (story) => story.at("2026-03-17T13:00Z").remind(),
  (story) => story.at("2026-03-18T13:00Z").remind(),
  (story) => story.at("2026-03-18T19:00Z").remind(),
  (story) => story.at("2026-03-19T13:00Z").remind(),
  // The same ticker splits again, replacing the old row.
  (story) => story.at("2026-03-23T15:00Z").list([HARBOR, ORBITAL_AGAIN, QUILL, TARN_MOVED]),
  // The old ex date of the postponed split.
  (story) => story.at("2026-03-24T13:00Z").remind(),
  // The service removes splits a week after their ex dates.
  (story) => story.at("2026-03-27T15:00Z").poll(),
  (story) => story.at("2026-03-31T13:00Z").remind(),
  (story) => story.at("2026-04-01T13:00Z").remind(),
  (story) => story.at("2026-04-02T13:00Z").remind(),
];

interface ExpectedMessage {
  readonly title: unknown;
  /** The message of the same destination that it replies to, counted from 1; null: none. */
  readonly replyTo: number | null;
}

const ORBITAL_ANNOUNCED = startingWith("ORBT 1-for-20 reverse split, ex date Thu 12 Mar 2026");
const ORBITAL_CHANGED =
  "ORBT reverse split changed: ratio 1-for-20 → 1-for-25; ex date Thu 12 Mar 2026 → Thu 19 Mar 2026";
const QUILL_ANNOUNCED = startingWith("QUIL 1-for-8 reverse split, ex date Wed 18 Mar 2026");
const TARN_ANNOUNCED = startingWith("TARN 1-for-10 reverse split, ex date Tue 24 Mar 2026");
const TARN_CHANGED = "TARN 1-for-10 reverse split changed: ex date Tue 24 Mar 2026 → Thu 2 Apr 2026";
const TARN_POSTPONED = startingWith("TARN 1-for-10 reverse split postponed");
const ORBITAL_AGAIN_ANNOUNCED = startingWith("ORBT 1-for-10 reverse split, ex date Wed 1 Apr 2026");

const EXPECTED: Readonly<Record<string, readonly ExpectedMessage[]>> = {
  general: [
    { title: ORBITAL_ANNOUNCED, replyTo: null },
    { title: QUILL_ANNOUNCED, replyTo: null },
    { title: ORBITAL_CHANGED, replyTo: 1 },
    { title: startingWith("QUIL 1-for-8 reverse split is no longer listed"), replyTo: 2 },
    { title: startingWith("QUIL 1-for-8 reverse split is listed again"), replyTo: 2 },
    { title: TARN_ANNOUNCED, replyTo: null },
    { title: TARN_POSTPONED, replyTo: 6 },
    { title: TARN_CHANGED, replyTo: 6 },
    { title: startingWith("QUIL 1-for-8 reverse split in effect today"), replyTo: 2 },
    { title: startingWith("ORBT 1-for-25 reverse split in effect today"), replyTo: 1 },
    { title: ORBITAL_AGAIN_ANNOUNCED, replyTo: null },
    { title: startingWith("ORBT 1-for-10 reverse split in effect today"), replyTo: 11 },
    { title: startingWith("TARN 1-for-10 reverse split in effect today"), replyTo: 6 },
  ],
  alice: [
    { title: ORBITAL_ANNOUNCED, replyTo: null },
    { title: startingWith("ORBT: Orbital Looms Announces"), replyTo: null },
    { title: ORBITAL_CHANGED, replyTo: 1 },
    { title: startingWith("Reminder: ORBT 1-for-25 reverse split takes effect tomorrow"), replyTo: 1 },
    { title: startingWith("ORBT 1-for-25 reverse split in effect today"), replyTo: 1 },
    { title: ORBITAL_AGAIN_ANNOUNCED, replyTo: null },
    { title: startingWith("Reminder: ORBT 1-for-10 reverse split takes effect tomorrow"), replyTo: 6 },
    { title: startingWith("ORBT 1-for-10 reverse split in effect today"), replyTo: 6 },
  ],
  bob: [
    { title: QUILL_ANNOUNCED, replyTo: null },
    { title: startingWith("QUIL 1-for-8 reverse split is no longer listed"), replyTo: 1 },
    { title: startingWith("QUIL 1-for-8 reverse split is listed again"), replyTo: 1 },
    { title: startingWith("Reminder: QUIL 1-for-8 reverse split takes effect tomorrow"), replyTo: 1 },
    { title: startingWith("QUIL 1-for-8 reverse split in effect today"), replyTo: 1 },
  ],
  carol: [
    { title: TARN_ANNOUNCED, replyTo: null },
    { title: TARN_POSTPONED, replyTo: 1 },
    { title: startingWith("VELM: Velm Therapeutics Stockholders Approve"), replyTo: null },
    { title: TARN_CHANGED, replyTo: 1 },
    { title: startingWith("Reminder: TARN 1-for-10 reverse split takes effect tomorrow"), replyTo: 1 },
    { title: startingWith("TARN 1-for-10 reverse split in effect today"), replyTo: 1 },
  ],
  // A channel without rules and a person without a watchlist.
  lobby: [],
  dora: [],
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(() => folder.remove());

describe("a channel's rule and three watchlists", () => {
  it.each(["runs without interruption", "restarts after each step", "loses power after each step"] as const)(
    "receive every alert once, and nothing else, when the app %s",
    async (manner) => {
      const story = await beginStory(manner);
      for (const step of STEPS) {
        await step(story);
        await story.between();
      }
      const received = await story.received();
      await story.end();
      expect(received).toEqual(EXPECTED);
    },
  );

  it("receive a change as one card with old and new terms and the fraction treatment", async () => {
    const story = await beginStory("runs without interruption");
    for (const step of STEPS.slice(0, 5)) await step(story);
    const messages = await story.app.messages("alice");
    await story.end();
    const change = messages.at(-1);
    expect(change?.replyTo).toBe(messages[0]?.messageId);
    expect(change?.body.cards).toHaveLength(1);
    expect(change?.body.cards[0]?.facts).toEqual(
      expect.arrayContaining([
        { label: "Ratio", was: "1-for-20", value: "1-for-25" },
        { label: "Ex date", was: "Thu 12 Mar 2026", value: "Thu 19 Mar 2026" },
        { label: "Fractional shares", value: expect.stringContaining("rounded up") },
      ]),
    );
    expect(change?.body.cards[0]?.quotes).toEqual([
      {
        text: expect.stringContaining("rounded up to the next whole share"),
        source: "GlobeNewswire",
        link: ORBITAL_LOOMS_SPLITS.url,
      },
    ]);
  });
});

interface Story {
  readonly app: RunningApp;
  /** Sets the clock. */
  at(time: string): Story;
  /** Replaces the listed splits, and polls. */
  list(splits: readonly SplitRow[]): Promise<void>;
  /** Adds articles, and polls. */
  publish(...articles: readonly ArticleRow[]): Promise<void>;
  poll(): Promise<void>;
  /** Runs the reminder tick, a poll and the tick again; the second tick must send nothing. */
  remind(): Promise<void>;
  /** The interruption between two steps. */
  between(): Promise<void>;
  /** The messages in the channels and direct messages. */
  received(): Promise<typeof EXPECTED>;
  end(): Promise<void>;
}

type Manner = "runs without interruption" | "restarts after each step" | "loses power after each step";

async function beginStory(manner: Manner): Promise<Story> {
  const data = await aDataFolder(folder.path);
  const clock = new ManualClock("2026-03-02T14:00Z");
  let splits: readonly SplitRow[] = [HARBOR];
  let articles: readonly ArticleRow[] = [];
  let dataDir = join(folder.path, "state-0");
  let folders = 1;
  await data.write({ splits, articles });
  const start = (): Promise<RunningApp> => startApp({ dataDir, clock, env: data.env });
  let app = await start();
  await app.run("alice", "subscribe");
  await app.run("alice", "watch ORBT", { direct: true });
  await app.run("bob", "watch QUIL");
  await app.run("carol", "watch TARN, VELM");

  const story: Story = {
    get app() {
      return app;
    },
    at(time) {
      clock.setTo(time);
      return story;
    },
    async list(rows) {
      splits = rows;
      await data.write({ splits, articles });
      await app.followFolder();
      await story.poll();
    },
    async publish(...published) {
      articles = [...articles, ...published];
      await story.list(splits);
    },
    poll: () => app.poll(3),
    async remind() {
      await app.tick("remind");
      await app.poll();
      await app.tick("remind");
    },
    async between() {
      if (manner === "runs without interruption") return;
      const copy = join(folder.path, `state-${folders++}`);
      if (manner === "loses power after each step") await copyFolder(dataDir, copy);
      await app.stop();
      if (manner === "loses power after each step") dataDir = copy;
      app = await start();
    },
    async received() {
      const channels = ["general", "lobby"].map(async (name) => [name, messagesIn(await app.messages("alice", name))]);
      const people = ["alice", "bob", "carol", "dora"].map(async (name) => [
        name,
        messagesIn(await app.messages(name)),
      ]);
      return Object.fromEntries(await Promise.all([...channels, ...people]));
    },
    end: () => app.stop(),
  };
  return story;
}

function messagesIn(messages: readonly WebMessage[]): readonly ExpectedMessage[] {
  return messages.flatMap((message) => {
    const index = messages.findIndex(({ messageId }) => messageId === message.replyTo);
    const replyTo = message.replyTo === null ? null : index + 1;
    return cardsOf([message]).map(({ title }) => ({ title, replyTo }));
  });
}

function startingWith(start: string): unknown {
  return expect.stringMatching(new RegExp(`^${start}`));
}

function row(ticker: string, parts: Partial<SplitRow>): SplitRow {
  return aSplitRow({ ticker, company: `${ticker} Corp.`, ...parts }) as SplitRow;
}
