import { metrics } from "./silent.mjs";
import { aSplitRecord, dayFromNow } from "./split-record.mjs";

/** Context of commands without platforms and live sources, and a snapshot with splits and releases. */
export const SOURCE = "http://splits.example";

export function contextParts(store) {
  return {
    store,
    metrics,
    version: "bench",
    limits: { run: (_person, work) => work.run((wait) => wait()), admitPost: () => 0 },
    quarantinedDocuments: () => [],
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
  const state = { status: "listed", removedAt: null, pollsMissed: 0, transitionTimes: [], pendingRecord: null };
  return {
    id: `s${n}`,
    record: aSplitRecord(n),
    revision: 1,
    firstSeenAt: Date.now(),
    withdrawal: null,
    reminded: {},
    ...state,
  };
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
