import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRandom } from "../support/random.ts";
import { RunningClock } from "../support/running-clock.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";
import type { Chat, DestinationName, ReceivedMessage } from "./chat.ts";
import { alertsIn, Model, type Problem } from "./model.ts";
import type { ChatRequest, Span } from "./requests.ts";
import { Story, type StorySplit } from "./story.ts";

const ANNOUNCED = "K1 1-for-3 reverse split, ex date Tue 10 Mar 2026 (in 6 trading days)";
const CHANGED = "K1 reverse split changed: ratio 1-for-3 → 1-for-4";
const MISSING = "K1 1-for-3 reverse split is no longer listed: cancelled, completed or corrected?";
const RETURNED = "K1 1-for-3 reverse split is listed again, ex date Tue 10 Mar 2026";

describe("the alerts in a message", () => {
  it.each([
    [ANNOUNCED, { kind: "announced", ratio: 3, was: null }],
    [CHANGED, { kind: "changed", ratio: 4, was: 3 }],
    [MISSING, { kind: "missing", ratio: 3, was: null }],
    [RETURNED, { kind: "returned", ratio: 3, was: null }],
    ["K1 1-for-3 reverse split postponed, according to a release", { kind: "withdrawn", ratio: null }],
    ["Reminder: K1 1-for-3 reverse split takes effect tomorrow", { kind: "reminder", ratio: 3 }],
    ["K1 1-for-3 reverse split in effect today, Tue 10 Mar 2026", { kind: "effective", ratio: 3 }],
    ["In effect · ex date Tue 10 Mar 2026\nK1 1-for-3", { kind: "effective", ratio: 3 }],
    ["Changed\nK1 ratio 1-for-3 → 1-for-4", { kind: "changed", ratio: 4, was: 3 }],
    ["No longer listed · ex date Tue 10 Mar 2026\nK1 1-for-3", { kind: "missing", ratio: 3 }],
    ["Listed again\nK1", { kind: "returned", ratio: null }],
  ])("include %j", (text, expected) => {
    expect(alertsIn(text)).toEqual([expect.objectContaining({ ticker: "K1", ...withoutNull(expected) })]);
  });
});

function listOf(...headings: readonly string[]): string {
  return headings.map((heading) => `${heading}\nK1`).join("\n");
}

/** A platform whose only destination with messages is this one. */
function chatOf(
  to: DestinationName,
  messages: readonly ReceivedMessage[],
  requests: readonly ChatRequest[] = [],
): Pick<Chat, "received" | "requests"> {
  return {
    received: (name) => (name === to ? messages : []),
    requests: (name) => (name === to ? requests : []),
  };
}

function withoutNull(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

describe("the model of a channel that receives everything", () => {
  let upstream: Upstream;
  let story: Story;

  beforeEach(async () => {
    upstream = await startUpstream();
    story = new Story({ upstream, clock: new RunningClock(), random: createRandom(1) }, 1);
    story.announce(1);
    disappearAndReturn();
  });

  afterEach(async () => {
    await upstream.stop();
  });

  /** Kinds of the problems of the channel that received these messages. */
  function problemsOf(...texts: readonly string[]): readonly string[] {
    const model = new Model(story);
    model.notePresenceChange(0);
    model.noteDetected("announced", "K1.1", { poll: 1, at: 0 });
    model.noteDetected("changed", "K1.2", { poll: 2, at: 0 });
    const messages = texts.map((text, index): ReceivedMessage => ({ at: index, text }));
    const problems = model.check(chatOf("everything", messages));
    return problems.filter(({ what }) => what.startsWith("everything")).map(({ kind }) => kind);
  }

  it("accepts lists that show no terms, and reports what they lose or repeat", () => {
    story.splits.splice(0, 1);
    story.changeRatio();
    expect(problemsOf(listOf("Announced", "Changed"))).toEqual([]);
    expect(problemsOf(ANNOUNCED, listOf("Changed"), listOf("Changed"))).toEqual(["doubled"]);
    expect(problemsOf(listOf("Announced", "Changed", "No longer listed"))).toEqual(["lost"]);
    expect(problemsOf(ANNOUNCED, listOf("No longer listed", "Listed again"))).toEqual([]);
    expect(problemsOf(listOf("Changed"), listOf("Announced"))).toContain("out of order");
  });

  it("accepts an announcement after other alerts about its split only if it was refused twice", () => {
    disappearAndReturn();
    const messages = [MISSING, ANNOUNCED, RETURNED].map((text, index): ReceivedMessage => ({ at: 10 + index, text }));
    const refusals = [1, 2].map((at): ChatRequest => ({ request: "send", at, text: ANNOUNCED, outcome: "refused" }));
    const problems = (requests: readonly ChatRequest[]): readonly Problem[] =>
      new Model(story)
        .check(chatOf("everything", messages, requests))
        .filter(({ what }) => what.startsWith("everything"));
    expect(problems(refusals)).toEqual([]);
    expect(problems(refusals.slice(1))).not.toEqual([]);
  });

  function disappearAndReturn(): void {
    story.vanish();
    story.reappear();
  }

  it("accepts each alert once", () => {
    expect(problemsOf(ANNOUNCED)).toEqual([]);
    expect(problemsOf(ANNOUNCED, MISSING, RETURNED)).toEqual([]);
  });

  it("accepts one disappearance and one return in a list for each change of the upstream", () => {
    const list = [MISSING, MISSING, RETURNED, RETURNED].join("\n");
    expect(problemsOf(ANNOUNCED, list)).toEqual(["doubled", "doubled"]);
    disappearAndReturn();
    expect(problemsOf(ANNOUNCED, list)).toEqual([]);
  });

  it.each([
    ["a lost announcement", ["lost"], []],
    ["a repeated announcement", ["doubled"], [ANNOUNCED, ANNOUNCED]],
    ["a lost return", ["lost"], [ANNOUNCED, MISSING]],
    ["a repeated return", ["doubled"], [ANNOUNCED, MISSING, RETURNED, RETURNED]],
    [
      "terms that were never listed",
      ["wrong", "wrong", "lost"],
      [ANNOUNCED, "K1 reverse split changed: ratio 1-for-8 → 1-for-9"],
    ],
    ["a text that is no alert", ["wrong"], [ANNOUNCED, "Hello"]],
    [
      "an alert for a split that was listed from the start",
      ["wrong"],
      [ANNOUNCED, "I1 1-for-2 reverse split, ex date"],
    ],
    [
      "more than ten messages for one change",
      expect.arrayContaining(["flooded"]),
      Array.from({ length: 11 }, () => ANNOUNCED),
    ],
  ])("reports %s", (_, kinds, texts) => {
    expect(problemsOf(...texts)).toEqual(kinds);
  });

  it("reports alerts in the wrong order and lost changes", () => {
    story.splits.splice(0, 1);
    story.changeRatio();
    expect(problemsOf(ANNOUNCED, CHANGED)).toEqual([]);
    expect(problemsOf([ANNOUNCED, CHANGED, MISSING, RETURNED].join("\n"))).toEqual([]);
    expect(problemsOf(ANNOUNCED)).toEqual(["lost"]);
    expect(problemsOf(CHANGED, ANNOUNCED)).toContain("out of order");
  });

  describe("with an announcement that passes an earlier one", () => {
    const [SECOND, MINUTE] = [1_000, 60_000];

    beforeEach(() => story.announce(1));

    /** Problems if these sends of the earlier one failed before the later one was sent, one after another in this order. */
    function problemsAfter(
      outcomes: readonly ChatRequest["outcome"][],
      { everyMs = SECOND, hindrance = null }: { readonly everyMs?: number; readonly hindrance?: Span | null } = {},
    ): readonly string[] {
      const [text, next] = story.splits
        .slice(1)
        .map(({ ticker, ratios }) => `${ticker} 1-for-${ratios[0]} reverse split, ex date`);
      const model = new Model(story);
      model.noteDetected("announced", "K1.1", { poll: 1, at: 0 });
      model.noteDetected("announced", "K2.1", { poll: 2, at: 0 });
      if (hindrance !== null) model.noteHindrance(hindrance);
      const failed = outcomes.map((outcome, index): ChatRequest => {
        return { request: outcome === "ok" ? "search" : "send", at: index * everyMs, text: text ?? "", outcome };
      });
      const at = outcomes.length * everyMs;
      const received = [next, text].map((one, index) => ({ at: at + index, text: one ?? "" }));
      const sent = received.map((one): ChatRequest => ({ request: "send", outcome: "ok", ...one }));
      const problems = model.check(chatOf("everything", received, [...failed, ...sent]));
      return problems.filter(({ what }) => what.startsWith("everything")).map(({ kind }) => kind);
    }

    it.each([
      ["was refused once", ["refused"], SECOND],
      ["was intercepted once", ["intercepted"], SECOND],
      ["was refused once after a limit", ["hindered", "refused"], SECOND],
      ["wasn't refused, but limited twice", ["hindered", "hindered"], SECOND],
      ["was refused once, and its search failed", ["refused", "ok"], SECOND],
      ["may still be posted", ["unanswered", "unanswered"], SECOND],
      ["is refused while an earlier send may still be posted", ["unanswered", "refused", "refused"], SECOND],
    ] as const)("reports the order if the earlier one %s", (_, outcomes, everyMs) => {
      expect(problemsAfter(outcomes, { everyMs })).toEqual(["out of order"]);
    });

    it.each([
      ["was refused twice", ["refused", "refused"], SECOND],
      ["was intercepted after a limit", ["hindered", "intercepted"], SECOND],
      ["was sent without an answer a minute before", ["unanswered"], MINUTE],
    ] as const)("accepts the order if the earlier one %s", (_, outcomes, everyMs) => {
      expect(problemsAfter(outcomes, { everyMs })).toEqual([]);
    });

    it("accepts the order if the earlier one was limited a minute before while a fault kept the answer from being saved", () => {
      const hindrance = { from: SECOND, until: 2 * SECOND };
      expect(problemsAfter(["hindered"], { everyMs: MINUTE + SECOND, hindrance })).toEqual([]);
      expect(problemsAfter(["hindered"], { everyMs: SECOND / 2, hindrance })).toEqual(["out of order"]);
      const later = { from: 2 * MINUTE, until: 3 * MINUTE };
      expect(problemsAfter(["hindered"], { everyMs: MINUTE + SECOND, hindrance: later })).toEqual(["out of order"]);
    });

    it("reports how long the later one waits, unless another fault keeps it from being sent", () => {
      expect(problemsAfter(["refused", "refused", "refused"], { everyMs: MINUTE })).toEqual(["blocked"]);
      expect(problemsAfter(["unanswered", "unanswered"], { everyMs: 3 * MINUTE })).toEqual([]);
      expect(problemsAfter(["unanswered", "unanswered"], { everyMs: 5 * MINUTE })).toEqual(["blocked"]);
      const hindrance = { from: MINUTE, until: 2 * MINUTE };
      expect(problemsAfter(["unanswered", "unanswered"], { everyMs: 5 * MINUTE, hindrance })).toEqual([]);
    });
  });

  it("reports alerts that are sent during a mute or after forget", () => {
    const model = new Model(story);
    model.noteHold("everything", 100_000);
    model.noteForgetting("yes", 10);
    story.announce(1);
    const split = story.splits.at(-1);
    const text = `${split?.ticker} 1-for-${split?.ratios[0]} reverse split, ex date`;
    const sentAt = (at: number): readonly string[] =>
      (["everything", "bird"] as const).flatMap((name) =>
        model.check(chatOf(name, [{ at, text }])).map(({ what }) => what),
      );
    expect(sentAt(20)).toContainEqual(expect.stringMatching(/^everything: 69980 ms too early/));
    expect(sentAt(20)).toContainEqual(expect.stringMatching(/^bird: sent after forget/));
    expect(sentAt(110_000)).not.toContainEqual(expect.stringContaining("too early"));
    model.endHolds("everything", 50);
    expect(sentAt(40)).toContainEqual(expect.stringMatching(/^everything: 10 ms too early/));
    expect(sentAt(50)).not.toContainEqual(expect.stringContaining("too early"));
  });

  it("reports alerts for tickers that were on a deleted watchlist", () => {
    const model = new Model(story);
    model.noteWatching("K2", "yes");
    model.noteForgetting("yes", 10);
    model.endForgotten(20);
    model.noteWatching("K3", "yes");
    story.announce(2);
    const texts = story.splits
      .slice(2)
      .map(({ ticker, ratios }) => `${ticker} 1-for-${ratios[0]} reverse split, ex date`);
    const problemsOfBird = (...received: readonly string[]): readonly string[] => {
      const messages = received.map((text): ReceivedMessage => ({ at: 30, text }));
      const problems = model.check(chatOf("bird", messages));
      const ofBird = problems.filter(({ what }) => what.startsWith("bird"));
      return ofBird.map(({ kind, what }) => `${kind} ${/K\d/.exec(what)?.[0] ?? ""}`);
    };
    expect(problemsOfBird(texts[1] ?? "")).toEqual([]);
    expect(problemsOfBird(...texts)).toEqual(["wrong K2"]);
    expect(problemsOfBird()).toEqual(["lost K3"]);
  });

  it("reports withdrawals that are lost, repeated or invented", () => {
    const WITHDRAWN = "K1 1-for-3 reverse split postponed, according to a release";
    expect(problemsOf(ANNOUNCED, WITHDRAWN)).toEqual(["wrong"]);
    story.splits.splice(0, 1);
    story.withdraw("postponed");
    expect(problemsOf(ANNOUNCED, WITHDRAWN)).toEqual([]);
    expect(problemsOf(ANNOUNCED)).toEqual(["lost"]);
    expect(problemsOf(ANNOUNCED, WITHDRAWN, WITHDRAWN)).toEqual(["doubled"]);
  });

  it("reports lost and repeated reminders", () => {
    const due = { ...story.splits[0], ticker: "K1", due: "effective", isInitial: false } as StorySplit;
    story.splits.splice(0, 2, { ...due, ratios: [3] });
    const IN_EFFECT = "K1 1-for-3 reverse split in effect today, Tue 10 Mar 2026";
    expect(problemsOf(ANNOUNCED, IN_EFFECT)).toEqual([]);
    expect(problemsOf([IN_EFFECT, ANNOUNCED].join("\n"))).toEqual([]);
    expect(problemsOf(IN_EFFECT, ANNOUNCED)).toEqual(["out of order"]);
    expect(problemsOf(ANNOUNCED)).toEqual(["lost"]);
    expect(problemsOf(ANNOUNCED, IN_EFFECT, IN_EFFECT)).toEqual(["doubled"]);
  });
});
