/** Context of commands without platforms and live sources, and a snapshot with splits and releases. */
export const SOURCE = "http://splits.example";
const DAY_MS = 86_400_000;

const silent = () => undefined;

export function contextParts(store) {
  return {
    store,
    metrics: {
      countPoll: silent,
      countEvent: silent,
      countDelivery: silent,
      observeDeliveryMs: silent,
      countCommand: silent,
    },
    version: "bench",
    timezone: "America/New_York",
    nextDigest: () => null,
    source: { id: SOURCE, name: "bench", sample: false, notes: () => [], problem: () => null, live: null },
    publicUrl: null,
    isStale: () => false,
    pauseDeliveryDuring: (_destination, work) => work(),
    retryDelivery: async () => undefined,
    deliveryProblem: async () => null,
    platformProblems: () => [],
    waitForOutcome: async () => ({ kind: "waiting", problem: null }),
  };
}

/** `splits` and `releases`: numbers of each. */
export function firstPoll(splits, releases) {
  const header = {
    source: SOURCE,
    startedAt: 0,
    nextSplit: splits,
    splitsKnown: true,
    settlingPolls: 0,
    articlesThrough: null,
    suspicion: null,
  };
  const records = Array.from({ length: splits }, (_, n) => aSplit(n));
  const articles = Array.from({ length: releases }, (_, n) => anArticle(n, splits));
  const patch = { header, replaces: true, splits: records, removedSplits: [], articles, removedArticles: [] };
  return { patch, events: [], deliveries: [] };
}

function aSplit(n) {
  const record = {
    ticker: `T${n}`,
    exchange: "NASDAQ",
    company: `Company ${n} Holdings Inc.`,
    ratioText: "1:20",
    ratio: { newShares: 1, oldShares: 20 },
    exDate: dayFromNow(n % 40),
    dateAnnounced: dayFromNow(-5),
  };
  const state = { status: "listed", removedAt: null, pollsMissed: 0, transitionTimes: [], pendingRecord: null };
  return { id: `s${n}`, record, revision: 1, firstSeenAt: Date.now(), withdrawal: null, reminded: {}, ...state };
}

function anArticle(n, splits) {
  return {
    url: `https://wire.example/${n}`,
    source: "globenewswire",
    heading: `Company ${n % splits} Announces Reverse Stock Split`,
    version: "1",
    published: dayFromNow(-(n % 60)),
    seenAt: Date.now(),
    kind: "reverse_split",
    kindSentence: null,
    concerns: [{ ticker: `T${n % splits}`, exchange: "NASDAQ" }],
    fraction: null,
    terms: [],
  };
}

function dayFromNow(days) {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
