import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderMessage as renderOnDiscord } from "../../src/chat/discord/render.ts";
import { isSlackBody, renderMessage as renderOnSlack } from "../../src/chat/slack/alerts/render.ts";
import type { MessageBody } from "../../src/chat/web/page/protocol.ts";
import { createWebPlatform } from "../../src/chat/web/platform.ts";
import type { Attempt, Delivery } from "../../src/domain/alert/delivery.ts";
import { type Destination, destinationKey, isPerson } from "../../src/domain/alert/destination.ts";
import { EVENT_KINDS, type Event, isSplitEvent } from "../../src/domain/alert/event.ts";
import type { Article } from "../../src/domain/article/article.ts";
import { DEFAULT_CHANNEL_EVENTS } from "../../src/domain/settings/rule.ts";
import type { SplitRecord } from "../../src/domain/split/split.ts";
import { MINUTE_MS } from "../../src/domain/time/day.ts";
import { compose } from "../../src/pipeline/compose.ts";
import type { ChatPlatform } from "../../src/ports/chat-platform.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import type { SplitSource } from "../../src/ports/split-source.ts";
import { configuredStore } from "../../src/store/index.ts";
import { temporaryFolder } from "../support/app.ts";
import { anArticle, aRecord, aRule } from "../support/builders.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { aPoller, MISSING_POLLS } from "../support/poll-parts.ts";
import { repetitions } from "../support/soak.ts";
import { EMPTY_ANSWERS } from "../support/web-platform-under-test.ts";
import { isJson, textOf } from "./discord/model.ts";
import { shownText } from "./slack/users/message-text.ts";

/** The limit for one change of the upstream data. */
const MAX_MESSAGES = 10;
const POLL_MS = 2 * MINUTE_MS;

/** What a message shows. */
interface Shown {
  readonly cards: number;
  readonly text: string;
}

/** How each platform renders a message, and what its users see of it. */
const PLATFORMS: Readonly<Record<string, { readonly render: ChatPlatform["render"]; shown(body: unknown): Shown }>> = {
  discord: {
    render: renderOnDiscord,
    shown(body) {
      if (!isJson(body)) throw new Error("not a message");
      const { embeds, components } = JSON.parse(JSON.stringify(body));
      // The notification line repeats the first title.
      return { cards: embeds.length, text: textOf({ content: "", embeds, components }) };
    },
  },
  slack: {
    render: renderOnSlack,
    shown(body) {
      if (!isSlackBody(body)) throw new Error("not a message");
      const cards = body.blocks.filter(({ type }) => type === "header").length;
      return { cards, text: shownText({ blocks: JSON.parse(JSON.stringify(body.blocks)), attachments: [] }) };
    },
  },
  web: {
    render: (outgoing) => webPlatform.render(outgoing),
    shown(body) {
      const { cards } = body as MessageBody;
      return { cards: cards.length, text: JSON.stringify(cards) };
    },
  },
};

/** Only renders. */
const webPlatform = createWebPlatform({
  ...EMPTY_ANSWERS,
  operator: {} as never,
  store: { postings: {} as never, sessions: {} as never, destinations: () => Promise.resolve([]) },
  clock: new ManualClock(),
  log: SILENT_LOG,
  adminToken: null,
  publicUrl: null,
  assetsDir: new URL("../../src/chat/web/page/", import.meta.url),
});

const DESTINATIONS: readonly Destination[] = Object.keys(PLATFORMS).flatMap((platform) => [
  { platform, kind: "channel", id: "1" },
  { platform, kind: "person", id: "2" },
]);

/** Names that need escaping or shortening. */
const COMPANIES = [
  "",
  "Acme Robotics Inc.",
  "*_`~|[](\\>& ".repeat(20),
  "x".repeat(400),
  "חברת אקמה בע״מ",
  "👩‍👩‍👧 Inc.",
];

/** One change of the upstream data: numbers of splits and articles. */
interface Change {
  readonly fresh: number;
  readonly changed: number;
  readonly vanished: number;
  readonly returned: number;
  readonly unaffected: number;
  readonly releases: number;
  readonly approvals: number;
  readonly cancellations: number;
  readonly rules: number;
  readonly quiet: boolean;
  /** Messages that are sent between two polls. */
  readonly sentBetween: number;
  readonly company: string;
  readonly dates: number;
}

/** Often small, sometimes large. */
function upTo(max: number): fc.Arbitrary<number> {
  return fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max }));
}

const anyChange: fc.Arbitrary<Change> = fc.record({
  fresh: upTo(1_000),
  changed: upTo(300),
  vanished: upTo(300),
  returned: upTo(300),
  unaffected: fc.constantFrom(5, 400),
  releases: upTo(200),
  approvals: upTo(50),
  cancellations: upTo(30),
  rules: fc.integer({ min: 1, max: 3 }),
  quiet: fc.boolean(),
  sentBetween: fc.constantFrom(0, 1, 10),
  company: fc.constantFrom(...COMPANIES),
  dates: fc.integer({ min: 1, max: 18 }),
});

/** Rows whose tickers start with Q and the letter. */
function rows(letter: string, count: number, { company, dates }: Change): readonly SplitRecord[] {
  return Array.from({ length: count }, (_, index) =>
    aRecord({
      ticker: `Q${letter}${index.toString(36).toUpperCase().padStart(2, "0")}`,
      company,
      ratio: `1:${(index % 60) + 2}`,
      exDate: `2026-03-${(index % dates) + 10}`,
    }),
  );
}

function articles(kind: "release" | "approval" | "cancellation", tickers: readonly string[]): readonly Article[] {
  const texts = {
    release: "will effect a 1-for-25 reverse stock split.",
    approval: "announced that its stockholders approved a reverse stock split at a ratio between 1-for-5 and 1-for-40.",
    cancellation: "announced today that it has cancelled its previously announced reverse stock split.",
  };
  return tickers.map((name, index) =>
    anArticle({
      url: `https://wire.example/${kind}/${index}?${"long=address&".repeat(8)}`,
      heading: kind === "cancellation" ? "Company Cancels Reverse Stock Split" : "Company Announces News",
      content: `A Company (NASDAQ: ${name}) ${texts[kind]}`,
    }),
  );
}

interface Sent {
  readonly to: Destination;
  readonly deliveries: readonly Delivery[];
  readonly events: readonly Event[];
  readonly shown: Shown;
}

interface Result {
  readonly committed: readonly Delivery[];
  readonly sent: readonly Sent[];
}

/** Polls the change with the real poller and store, and composes every message for the real renderers. */
async function play(change: Change): Promise<Result> {
  const folder = await temporaryFolder();
  const clock = new ManualClock("2026-03-02T15:00:00Z");
  const store = await configuredStore({ dataDir: folder.path }).open({ clock, log: SILENT_LOG });
  const committed = new Map<string, { readonly delivery: Delivery; readonly event: Event }>();
  const sent: Sent[] = [];
  const upstream: { splits: readonly SplitRecord[]; articles: readonly Article[] } = { splits: [], articles: [] };
  const source: SplitSource = {
    id: "test",
    sample: false,
    listSplits: async () => ({ records: upstream.splits, quarantined: [] }),
    lookUp: async () => ({ records: [], quarantined: [] }),
    async searchArticles() {
      const urls = new Set(upstream.articles.map(({ url }) => url));
      return { articles: upstream.articles, urls, quarantined: [], complete: true };
    },
  };
  const snapshot: typeof store.snapshot = {
    read: () => store.snapshot.read(),
    async commit(changes) {
      const events = new Map(changes.events.map((event) => [event.id, event]));
      for (const delivery of changes.deliveries) {
        const event = events.get(delivery.eventId);
        if (event && !committed.has(delivery.id)) committed.set(delivery.id, { delivery, event });
      }
      await store.snapshot.commit(changes);
    },
  };
  const poller = aPoller({
    store: { ...store, snapshot },
    source,
    clock,
  });
  let messages = 0;

  async function sendNext(destination: Destination): Promise<boolean> {
    const rendering = PLATFORMS[destination.platform];
    if (!rendering) throw new Error(destination.platform);
    const platform = { ...webPlatform, name: destination.platform, render: rendering.render };
    const parts = {
      store,
      clock,
      log: SILENT_LOG,
      timezone: "America/New_York",
      expireAfterMs: 24 * 60 * MINUTE_MS,
      cards: new Map(),
      nextDigest: () => null,
      newMessageId: () => `m${++messages}`,
    };
    const attempt = await compose(parts, platform, destination);
    if (attempt === null) return false;
    await store.outbox.saveAttempt({ ...attempt, state: "sending", sends: 1 });
    await store.outbox.markSent(attempt.messageId, { id: attempt.messageId, link: null }, clock.now());
    sent.push(sentMessage(attempt, rendering.shown(attempt.body)));
    return true;
  }

  function sentMessage({ to, deliveries }: Attempt, shown: Shown): Sent {
    const found = deliveries.flatMap((id) => committed.get(id) ?? []);
    return {
      to,
      deliveries: found.map(({ delivery }) => delivery),
      events: found.map(({ event }) => event),
      shown,
    };
  }

  async function send(limit: number): Promise<void> {
    for (const to of DESTINATIONS) for (let left = limit; left > 0 && (await sendNext(to)); left -= 1);
  }

  async function poll(times: number): Promise<void> {
    for (let left = times; left > 0; left -= 1) {
      clock.skip(POLL_MS);
      await poller.pollBoth();
      await send(change.sentBetween);
    }
  }

  const kept = rows("K", change.unaffected, change);
  const stays = rows("C", change.changed, change);
  const vanishes = rows("V", change.vanished, change);
  const returns = rows("R", change.returned, change);
  const fresh = rows("F", change.fresh, change);
  upstream.splits = [...kept, ...stays, ...vanishes, ...returns];
  await poll(MISSING_POLLS + 1);
  upstream.splits = [...kept, ...stays, ...vanishes];
  await poll(2 * MISSING_POLLS + 4);

  const quiet = change.quiet ? { from: 9 * 60, to: 18 * 60 } : null;
  for (const to of DESTINATIONS) {
    await store.destinationSettings.change(to, { quiet });
    const filters = [{ events: EVENT_KINDS }, { events: DEFAULT_CHANNEL_EVENTS }, { minRatio: 10 }].slice(
      0,
      change.rules,
    );
    for (const filter of filters) await store.rules.add(aRule({ ...filter, destination: to }));
    if (isPerson(to))
      await store.watchlists.add(
        to,
        fresh.slice(0, 100).map((record) => record.ticker),
      );
  }
  upstream.splits = [
    ...kept,
    ...stays.map((record) => ({ ...record, exDate: aRecord({ exDate: "2026-04-02" }).exDate })),
    ...returns,
    ...fresh,
  ];
  upstream.articles = [
    ...articles("release", names(fresh, change.releases)),
    ...articles(
      "approval",
      Array.from({ length: change.approvals }, (_, index) => `QA${index + 10}`),
    ),
    ...articles("cancellation", names(kept, change.cancellations)),
  ];
  await poll(2 * MISSING_POLLS + 4);
  clock.setTo("2026-03-02T23:30:00Z");
  await send(Number.POSITIVE_INFINITY);
  await store.close();
  await folder.remove();
  return { committed: [...committed.values()].map(({ delivery }) => delivery), sent };
}

function names(records: readonly SplitRecord[], count: number): readonly string[] {
  return records.slice(0, count).map((record) => record.ticker);
}

function tickerOf(event: Event): string {
  if (isSplitEvent(event)) return event.record.ticker;
  return "article" in event ? event.article.concerns.map((concern) => concern.ticker).join("/") : "";
}

/** What a message lacks, or shows too much. */
function discrepancies({ to, events, shown }: Sent): readonly string[] {
  const text = `${destinationKey(to)}: ${events.length} alerts in ${shown.cards} cards`;
  const expected = events.map(tickerOf);
  if (shown.cards === events.length) {
    return expected.filter((name) => !shown.text.includes(name)).map((name) => `${text}, ${name} is absent`);
  }
  const named = shown.text.match(/\bQ[A-Z][0-9A-Z]{2}\b/g) ?? [];
  const left = new Map<string, number>();
  for (const name of expected) left.set(name, (left.get(name) ?? 0) + 1);
  for (const name of named) left.set(name, (left.get(name) ?? 0) - 1);
  const tooOften = [...left].filter(([, count]) => count < 0).map(([name]) => `${text}, ${name} is named too often`);
  const counted = Number(/([\d,]+) more alerts? not shown/.exec(shown.text)?.[1]?.replaceAll(",", "") ?? 0);
  if (shown.cards !== 1) tooOften.push(`${text}: neither a list nor a card each`);
  return named.length + counted === events.length
    ? tooOften
    : [...tooOften, `${text}: ${named.length} named, ${counted} counted`];
}

describe("any change of the upstream data", () => {
  it("makes at most ten messages per destination, in which each alert is shown or counted once", async () => {
    await fc.assert(
      fc.asyncProperty(anyChange, async (change) => {
        const { committed, sent } = await play(change);
        const delivered = sent.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
        expect(delivered.toSorted()).toEqual(committed.map(({ id }) => id).toSorted());
        for (const to of DESTINATIONS) {
          const own = sent.filter((message) => destinationKey(message.to) === destinationKey(to));
          expect(own.length).toBeLessThanOrEqual(MAX_MESSAGES);
        }
        expect(sent.flatMap(discrepancies)).toEqual([]);
      }),
      { numRuns: repetitions({ short: 3, full: 150 }), endOnFailure: true },
    );
  });

  it("makes the same messages each time", async () => {
    const [change] = fc.sample(anyChange, 1);
    if (!change) throw new Error("no change");
    expect(await play(change)).toEqual(await play(change));
  });
});
