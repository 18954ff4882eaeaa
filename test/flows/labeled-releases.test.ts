import { join } from "node:path";
import { expect, it } from "vitest";
import { parseRatio, ratioName } from "../../src/domain/split/ratio.ts";
import { addDays, weekdayOf } from "../../src/domain/time/day.ts";
import { formatDay } from "../../src/messages/format.ts";
import type { Card } from "../../src/messages/message.ts";
import { cardsOf, type RunningApp, startApp, temporaryFolder, type WebMessage } from "../support/app.ts";
import { day } from "../support/builders.ts";
import { aDataFolder } from "../support/data-folder.ts";
import { type LabeledSplit, readLabeledReleases, type Terms } from "../support/labeled-releases.ts";
import { ManualClock } from "../support/manual-clock.ts";

const corpus = process.env.SPLITWATCH_CORPUS ?? "";

const WATCHERS = ["alice", "bob", "carol"] as const;

const READERS = ["general", ...WATCHERS] as const;

type Reader = (typeof READERS)[number];

/** Messages by id, so that a message is counted once and a duplicate alert is detected. */
type Seen = Readonly<Record<Reader, Map<string, WebMessage>>>;

/** Times of the two reminder ticks (9:00 and 15:00 in New York). */
const REMINDER_TIMES_UTC = ["14:00", "20:00"];

/** Days around a release or an ex date: reminders come up to four days before, over a weekend with a holiday. */
const NEAR_DAYS = [-5, -4, -3, -2, -1, 0, 1, 2];

const skipped = corpus === "" ? "skipped: SPLITWATCH_CORPUS is not set: " : "";

it.skipIf(corpus === "")(
  `${skipped}sends each alert on the labelled releases once, to its subscribers`,
  async () => {
    const folder = await temporaryFolder();
    try {
      const labelled = readLabeledReleases(corpus);
      const watchlists = assignWatchlists(labelled);
      const cards = await replay(labelled, watchlists, folder.path);
      expect(labelled.splits.filter(({ terms }) => terms.length > 1)).not.toEqual([]);
      expect(cards.general.map(summary).toSorted()).toEqual(labelled.splits.flatMap(expectedForChannel).toSorted());
      for (const name of WATCHERS) {
        expect(cards[name].map(summary).toSorted()).toEqual(
          expectedForWatcher(labelled, watchlists.get(name) ?? []).toSorted(),
        );
      }
    } finally {
      await folder.remove();
    }
  },
  600_000,
);

/** Short form of a card: an article by its address, a change with its terms. */
function summary({ title, link, facts }: Card): string {
  if (link !== null) return `article ${link}`;
  const [, reminder, ticker] = /^(Reminder: )?(\S+) /.exec(title) ?? [];
  if (reminder !== undefined) return `reminder ${ticker}`;
  if (title.includes(" changed: ")) {
    const changes = facts.flatMap(({ label, was, value }) => (was === undefined ? [] : `${label} ${was} → ${value}`));
    return `changed ${ticker}: ${changes.join(", ")}`;
  }
  return `${title.includes(" in effect ") ? "effective" : "announced"} ${title.replace(/, .*| in effect.*/, "")}`;
}

function expectedForChannel({ terms }: LabeledSplit): readonly string[] {
  const [first] = terms;
  const changes = terms.slice(1).map((now, index) => changeOf(terms[index] ?? first, now));
  return [`announced ${nameOf(first)}`, ...changes, `effective ${nameOf(terms.at(-1) ?? first)}`];
}

function expectedForWatcher({ splits, releases }: Labelled, watched: readonly string[]): readonly string[] {
  const own = splits.filter(({ ticker }) => watched.includes(ticker));
  const read = releases.filter(({ tickers }) => tickers.some((ticker) => watched.includes(ticker)));
  return [
    ...own.flatMap((split) => [...expectedForChannel(split), `reminder ${split.ticker}`]),
    ...read.map(({ article }) => `article ${article.url}`),
  ];
}

function nameOf({ row }: Terms): string {
  return `${row.ticker} ${ratioText(row)} reverse split`;
}

function changeOf(was: Terms, now: Terms): string {
  const ratio = `Ratio ${ratioText(was.row)} → ${ratioText(now.row)}`;
  const exDate = `Ex date ${formatDay(day(was.row.ex_date))} → ${formatDay(day(now.row.ex_date))}`;
  return `changed ${now.row.ticker}: ${ratio}, ${exDate}`;
}

function ratioText({ ratio }: Terms["row"]): string {
  const parsed = parseRatio(ratio);
  return parsed ? ratioName(parsed) : ratio;
}

type Labelled = ReturnType<typeof readLabeledReleases>;

/** Alternate splits for alice and bob; the tickers without a split for carol. */
function assignWatchlists({ splits, releases }: Labelled): ReadonlyMap<string, readonly string[]> {
  const tickers = [...new Set(splits.map(({ ticker }) => ticker))];
  const others = new Set(releases.flatMap((release) => release.tickers).filter((ticker) => !tickers.includes(ticker)));
  return new Map([
    ["alice", tickers.filter((_, index) => index % 2 === 0)],
    ["bob", tickers.filter((_, index) => index % 2 === 1)],
    ["carol", [...others]],
  ]);
}

/** Replays the releases day by day. Returns all cards that the channel and the watchers received. */
async function replay(
  labelled: Labelled,
  watchlists: ReadonlyMap<string, readonly string[]>,
  folder: string,
): Promise<Readonly<Record<Reader, readonly Card[]>>> {
  const days = daysOf(labelled);
  const data = await aDataFolder(folder);
  const clock = new ManualClock(`${addDays(day(days[0] ?? ""), -1)}T13:00Z`);
  const start = (): Promise<RunningApp> => startApp({ dataDir: join(folder, "state"), clock, env: data.env });
  let app = await start();
  await app.run("alice", "subscribe");
  for (const [name, tickers] of watchlists) await app.run(name, `watch ${tickers.join(" ")}`);

  // Messages are purged after three months and the replay takes longer, so they are collected before each restart.
  const seen: Seen = { general: new Map(), alice: new Map(), bob: new Map(), carol: new Map() };
  async function readAll(): Promise<void> {
    for (const reader of READERS) {
      const messages = await (reader === "general" ? app.messages("alice", reader) : app.messages(reader));
      for (const message of messages) seen[reader].set(message.messageId, message);
    }
  }

  async function restart(): Promise<void> {
    await readAll();
    await app.stop();
    app = await start();
  }

  for (const [index, today] of days.entries()) {
    clock.setTo(`${today}T12:45Z`);
    if (isNewsDay(labelled, today)) {
      await data.write(dataOn(labelled, today));
      await app.followFolder();
    }
    await runDay(app, today);
    if (index === Math.floor(days.length / 2)) await restart();
  }
  await restart();
  await app.poll(3);
  await readAll();
  await app.stop();
  const received = (reader: Reader): readonly Card[] => cardsOf([...seen[reader].values()]);
  return { general: received("general"), alice: received("alice"), bob: received("bob"), carol: received("carol") };
}

/** Polls every day; sends reminders on weekdays only. */
async function runDay(app: RunningApp, today: string): Promise<void> {
  const isWeekday = weekdayOf(day(today)) % 6 !== 0;
  for (const time of REMINDER_TIMES_UTC) {
    app.clock.setTo(`${today}T${time}Z`);
    await app.poll();
    if (isWeekday) await app.tick("remind");
  }
}

/** Days from the first release to two weeks after the last split: each day near a release or an ex date, and else one per week. */
function daysOf({ releases, splits }: Labelled): readonly string[] {
  const news = releases.map(({ article }) => article.date_published).toSorted();
  const exDates = splits.flatMap(({ terms }) => terms.map(({ row }) => row.ex_date)).toSorted();
  const near = new Set([...news, ...exDates].flatMap((date) => NEAR_DAYS.map((days) => addDays(day(date), days))));
  const end = addDays(day(exDates.at(-1) ?? ""), 14);
  const days: string[] = [];
  for (let today = day(news[0] ?? ""); today <= end; today = addDays(today, 1))
    if (near.has(today) || weekdayOf(today) === 3) days.push(today);
  return days;
}

function isNewsDay({ releases, splits }: Labelled, today: string): boolean {
  return (
    releases.some(({ article }) => article.date_published === today) ||
    splits.some(({ terms }) => terms.some(({ from }) => from === today))
  );
}

function dataOn(
  { releases, splits }: Labelled,
  today: string,
): Parameters<Awaited<ReturnType<typeof aDataFolder>>["write"]>[0] {
  return {
    splits: splits.flatMap(({ terms }) => terms.filter(({ from }) => from <= today).at(-1)?.row ?? []),
    articles: releases.map(({ article }) => article).filter(({ date_published }) => date_published <= today),
  };
}
