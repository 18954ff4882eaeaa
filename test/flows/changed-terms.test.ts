import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cardsOf, type RunningApp, titlesOf } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";
import { anEstablishedUpstream, ESTABLISHED, type EstablishedUpstream } from "../support/established-upstream.ts";
import { anArticleRow, aSplitRow, type Upstream } from "../support/upstream.ts";

type Row = Readonly<Record<string, unknown>>;

const ACME = aSplitRow({ ex_date: "2026-03-16", date_announced: "2026-03-03" });

const UP = "Any fractional share will be rounded up to the next whole share.";
const CASH =
  "No fractional shares will be issued; instead, stockholders will receive cash in lieu of fractional shares.";
const NEAREST = "Fractional shares will be rounded to the nearest whole share.";
const DOWN = "Any fractional share will be rounded down to the next lower whole share, without any payment.";
const UP_HOLDER = "Fractional shares will be rounded up to the next whole share for each holder.";
const UP_PARTICIPANT = "Fractional shares will be rounded up to the next whole share at the participant level.";
const CUSIP = "The new CUSIP number will be 00401C207.";
const OTHER_CUSIP = "The new CUSIP number will be 00401C306.";

const FRACTIONS = {
  up: "rounded up to a whole share",
  cash: "paid out in cash (cash in lieu)",
  nearest: "rounded to the nearest whole share",
  down: "rounded down to a whole share",
};

const changed = (what: string, name = "ACME 1-for-20 reverse split"): string => `${name} changed: ${what}`;
const fractions = (was: keyof typeof FRACTIONS, now: keyof typeof FRACTIONS): string =>
  changed(`fractional shares ${FRACTIONS[was]} → ${FRACTIONS[now]}`);

interface ReleaseParts {
  readonly name?: string;
  readonly day?: string;
  readonly heading?: string;
  readonly source?: string;
  /** Replaces the sentence that announces the split. */
  readonly lead?: string;
}

/** A release of Acme Robotics, which announces its split again and states these sentences. */
function release(sentences: readonly string[], parts: ReleaseParts = {}): Row {
  const {
    name = "acme-1",
    day = "2026-03-03",
    heading = "Acme Robotics Announces 1-for-20 Reverse Stock Split",
    source = "globenewswire",
    lead = "Acme Robotics Inc. (NASDAQ: ACME) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on March 16, 2026.",
  } = parts;
  const content = [lead, ...sentences].join(" ");
  return anArticleRow({ url: `https://wire.example/${name}`, heading, source, content, date_published: day });
}

let established: EstablishedUpstream;
let upstream: Upstream;
let app: RunningApp;

beforeEach(async () => {
  established = await anEstablishedUpstream();
  ({ upstream } = established);
  upstream.splits = [...ESTABLISHED, ACME];
});

afterEach(() => established.end());

/** What the data service shows from one poll on. */
interface Shown {
  readonly rows?: readonly Row[];
  readonly releases?: readonly Row[];
  /** The time of the poll. */
  readonly at?: string;
  /** True if splitwatch is stopped before and started again. */
  readonly restart?: true;
}

async function show({ rows, releases: next, at, restart }: Shown): Promise<void> {
  if (restart) await established.stop(app);
  if (at !== undefined) established.clock.setTo(at);
  if (rows) upstream.splits = [...ESTABLISHED, ...rows];
  if (next) upstream.articles = next;
  if (restart) app = await established.start();
  await app.poll(2);
}

/** Plays a story for a watcher of ACME and for a channel whose rule selects the treatment before. Returns the alerts after its first scene. */
async function play(
  [first, ...scenes]: readonly Shown[],
  fractional: string,
): Promise<{ readonly watcher: readonly string[]; readonly channel: readonly string[] }> {
  if (first?.releases) upstream.articles = first.releases;
  app = await established.start();
  await app.run("bob", "watch ACME");
  await app.run("alice", `subscribe tickers:ACME events:changed,missing,announced fractional:${fractional}`);
  await app.poll(2);
  const before = [(await app.messages("bob")).length, (await app.messages("alice", "general")).length];
  for (const scene of scenes) await show(scene);
  await app.poll(2);
  const [watcher, channel] = [await app.messages("bob"), await app.messages("alice", "general")];
  return { watcher: titlesOf(watcher.slice(before[0])), channel: titlesOf(channel.slice(before[1])) };
}

interface Story {
  readonly scenes: readonly Shown[];
  readonly alert: string;
  /** The rule's selection; default: the treatment before the change. */
  readonly fractional?: string;
}

/** A first release, then the releases that follow it. */
const releasedThen = (first: readonly string[], ...later: readonly Row[]): readonly Shown[] => [
  { releases: [release(first)] },
  { releases: [...later, release(first)] },
];
const second = (sentences: readonly string[], parts: ReleaseParts = {}): Row =>
  release(sentences, { name: "acme-2", heading: "Acme Robotics Updates Terms of Reverse Stock Split", ...parts });
/** A first release, then the same address with other sentences. */
const corrected = (first: readonly string[], then: readonly string[]): readonly Shown[] => [
  { releases: [release(first)] },
  { releases: [release(then)] },
];

const CLAWBACK = {
  name: "acme-2",
  heading: "Acme Robotics Announces Correction of Fractional Share Treatment",
  lead: "Acme Robotics Inc. (NASDAQ: ACME) today announced that, in connection with its 1-for-20 reverse stock split completed on March 16, 2026, fractional shares will not be rounded up as previously announced.",
};
const OTHER_COMPANY = {
  name: "law-1",
  heading: "Hollis & Grant LLP Investigates Acme Robotics",
  lead: "Hollis & Grant LLP today announced an investigation of Acme Robotics Inc. (NASDAQ: ACME) and its 1-for-20 reverse stock split.",
};

const STORIES: Readonly<Record<string, Story>> = {
  "cash instead of rounding up, in a second release": {
    scenes: releasedThen([UP], second([CASH])),
    alert: fractions("up", "cash"),
  },
  "cash instead of rounding up, in a correction in place": {
    scenes: corrected([UP], [CASH]),
    alert: fractions("up", "cash"),
  },
  "rounding up instead of cash": {
    scenes: releasedThen([CASH], second([UP])),
    alert: fractions("cash", "up"),
    fractional: "cash_in_lieu",
  },
  "rounding up instead of cash, for those who select rounding up": {
    scenes: releasedThen([CASH], second([UP])),
    alert: fractions("cash", "up"),
  },
  "rounding to the nearest share instead of up": {
    scenes: releasedThen([UP], second([NEAREST])),
    alert: fractions("up", "nearest"),
  },
  "cash instead of rounding down": {
    scenes: releasedThen([DOWN], second([CASH])),
    alert: fractions("down", "cash"),
    fractional: "round_down",
  },
  "rounding down in a correction in place": { scenes: corrected([UP], [DOWN]), alert: fractions("up", "down") },
  "rounding per participant instead of per holder": {
    scenes: releasedThen([UP_HOLDER], second([UP_PARTICIPANT])),
    alert: changed(`fractional shares ${FRACTIONS.up} per holder → ${FRACTIONS.up} per clearing participant`),
  },
  "rounding per holder in a correction in place": {
    scenes: corrected([UP_PARTICIPANT], [UP_HOLDER]),
    alert: changed(`fractional shares ${FRACTIONS.up} per clearing participant → ${FRACTIONS.up} per holder`),
  },
  "another CUSIP in a second release": {
    scenes: releasedThen([UP, CUSIP], second([UP, OTHER_CUSIP])),
    alert: changed("new CUSIP 00401C207 → 00401C306"),
  },
  "another CUSIP in a correction in place": {
    scenes: corrected([UP, CUSIP], [UP, OTHER_CUSIP]),
    alert: changed("new CUSIP 00401C207 → 00401C306"),
  },
  "treatment and CUSIP in one release": {
    scenes: releasedThen([UP, CUSIP], second([CASH, OTHER_CUSIP])),
    alert: changed(`fractional shares ${FRACTIONS.up} → ${FRACTIONS.cash}; new CUSIP 00401C207 → 00401C306`),
  },
  "another treatment on another wire, a day later": {
    scenes: [
      { releases: [release([UP])] },
      {
        at: "2026-03-04T15:00Z",
        releases: [second([CASH], { source: "businesswire", day: "2026-03-04" }), release([UP])],
      },
    ],
    alert: fractions("up", "cash"),
  },
  "another treatment after the ex date": {
    scenes: [
      { releases: [release([UP])] },
      { at: "2026-03-18T15:00Z", releases: [release([CASH], { ...CLAWBACK, day: "2026-03-18" }), release([UP])] },
    ],
    alert: fractions("up", "cash"),
  },
  "another treatment after the split has left the list": {
    scenes: [
      { releases: [release([UP])] },
      { at: "2026-03-25T15:00Z", rows: [] },
      { releases: [release([CASH], { ...CLAWBACK, day: "2026-03-25" }), release([UP])] },
    ],
    alert: fractions("up", "cash"),
  },
  "another treatment while splitwatch is stopped": {
    scenes: [{ releases: [release([UP])] }, { restart: true, releases: [second([CASH]), release([UP])] }],
    alert: fractions("up", "cash"),
  },
  "a new symbol": {
    scenes: [{ releases: [release([UP])] }, { rows: [{ ...ACME, ticker: "NEWA" }] }],
    alert: "ACME 1-for-20 reverse split is now listed as NEWA",
  },
  "a new symbol and another ratio": {
    scenes: [{ releases: [release([UP])] }, { rows: [{ ...ACME, ticker: "NEWA", ratio: "1:25" }] }],
    alert: "ACME reverse split is now listed as NEWA; changed: ratio 1-for-20 → 1-for-25",
  },
  "a new symbol with a new company name, which a release explains": {
    scenes: [
      {
        releases: [
          release([UP, "The common stock will trade under the new symbol (NASDAQ: NEWA) as Newa Brands Inc."]),
        ],
      },
      { rows: [{ ...ACME, ticker: "NEWA", company: "Newa Brands Inc." }] },
    ],
    alert: "ACME 1-for-20 reverse split is now listed as NEWA",
  },
  "another treatment while the first release is no longer listed": {
    scenes: [{ releases: [release([UP])] }, { releases: [second([CASH])] }],
    alert: fractions("up", "cash"),
  },
};

const ABOUT_NOTHING: Readonly<Record<string, readonly Shown[]>> = {
  "the same release again": releasedThen([UP]),
  "a repetition on another wire": releasedThen([UP], second([UP], { source: "businesswire" })),
  "a correction of another sentence": corrected([UP], [UP, "The company has 12 employees."]),
  "articles in another order": [
    { releases: [release([UP]), second([UP_HOLDER])] },
    { releases: [second([UP_HOLDER]), release([UP])] },
  ],
  "a law firm that states another treatment": releasedThen([UP], release([CASH], OTHER_COMPANY)),
};

describe("a change of a split's terms", () => {
  it.each(Object.entries(STORIES))("makes one alert: %s", async (_, { scenes, alert, fractional = "round_up" }) => {
    const { watcher, channel } = await play(scenes, fractional);
    expect(watcher).toEqual([alert]);
    expect(channel).toEqual([alert]);
  });

  it.each(Object.entries(ABOUT_NOTHING))("makes no alert about a change: %s", async (_, scenes) => {
    const { watcher, channel } = await play(scenes, "round_up,cash_in_lieu");
    expect([...watcher, ...channel].filter((title) => / changed: | is now listed as /.test(title))).toEqual([]);
  });

  it("makes one alert if a release and the list change at the same time", async () => {
    await play(releasedThen([UP]), "round_up");
    upstream.splits = [...ESTABLISHED, { ...ACME, ratio: "1:25" }];
    upstream.articles = [second([CASH]), release([UP])];
    app.clock.skip(120_000);
    await app.tickBoth();
    await app.poll(3);
    const what = `ratio 1-for-20 → 1-for-25; fractional shares ${FRACTIONS.up} → ${FRACTIONS.cash}`;
    expect(titlesOf(await app.messages("alice", "general"))).toEqual([changed(what, "ACME reverse split")]);
  });

  it("names a release that was corrected in place", async () => {
    await play(corrected([UP], [CASH]), "round_up");
    const text = cardsOf(await app.messages("bob"))
      .slice(-1)
      .map(cardText)
      .join("\n");
    expect(text).toContain(
      "The issuer's corrected release of Tue 3 Mar 2026 states the new treatment of fractional shares.",
    );
  });

  it("shows both sentences, the old and the new value, and what follows after the ex date", async () => {
    await play(STORIES["another treatment after the ex date"]?.scenes ?? [], "round_up");
    const text = cardsOf(await app.messages("alice", "general"))
      .slice(-1)
      .map(cardText)
      .join("\n");
    expect(text).toContain(`Fractional shares: ${FRACTIONS.up} → ${FRACTIONS.cash}`);
    expect(text).toContain(`"${UP}" GlobeNewswire, Tue 3 Mar 2026 (before)`);
    expect(text).toContain(`"${CASH}" GlobeNewswire, Wed 18 Mar 2026 (now)`);
    expect(text).toContain("The split is already in effect, so what holders received may be corrected.");
  });

  it("shows the sentences of the old and the new CUSIP, beside the treatment of fractional shares", async () => {
    const later = second([UP, OTHER_CUSIP], { source: "businesswire", day: "2026-03-04" });
    await play([{ releases: [release([UP, CUSIP])] }, { releases: [later, release([UP, CUSIP])] }], "round_up");
    const text = cardsOf(await app.messages("alice", "general"))
      .slice(-1)
      .map(cardText)
      .join("\n");
    expect(text).toContain("New CUSIP: 00401C207 → 00401C306");
    expect(text).toContain(`"${CUSIP}" GlobeNewswire, Tue 3 Mar 2026 (before)`);
    expect(text).toContain(`"${OTHER_CUSIP}" Business Wire, Wed 4 Mar 2026 (now)`);
    expect(text).toContain(`"${UP}" Business Wire`);
  });

  it("shows the sentences of each term that changed", async () => {
    await play(STORIES["treatment and CUSIP in one release"]?.scenes ?? [], "round_up");
    const quotes = cardsOf(await app.messages("bob"))
      .at(-1)
      ?.quotes.map(({ text }) => text);
    expect(quotes).toEqual([UP, CASH, CUSIP, OTHER_CUSIP]);
  });
});
