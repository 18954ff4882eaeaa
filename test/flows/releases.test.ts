import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cardsOf, type RunningApp, titlesOf } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";
import {
  alertTitles,
  anEstablishedUpstream,
  ESTABLISHED,
  type EstablishedUpstream,
} from "../support/established-upstream.ts";
import { anArticleRow, aSplitRow, type Upstream } from "../support/upstream.ts";

const [, ...OTHERS] = ESTABLISHED;
const NEWC = aSplitRow({ ticker: "NEWC", company: "Newcomer Inc.", ratio: "1:30", ex_date: "2026-03-27" });

let established: EstablishedUpstream;
let upstream: Upstream;
let app: RunningApp;

beforeEach(async () => {
  established = await anEstablishedUpstream();
  ({ upstream } = established);
  app = await established.startFollowing();
});

afterEach(() => established.end());

/** Publishes a release today, at its own address. */
async function publish(name: string, heading: string, ...sentences: readonly string[]): Promise<void> {
  const url = `https://wire.example/${name}`;
  const row = anArticleRow({ url, heading, date_published: "2026-03-03", content: sentences.join(" ") });
  upstream.articles = [row, ...upstream.articles];
  await app.poll();
}

function titlesIn(channel: string): Promise<readonly string[]> {
  return app.messages("alice", channel).then(titlesOf);
}

async function lastText(channel = "general"): Promise<string> {
  return cardsOf(await app.messages("alice", channel))
    .slice(-1)
    .map(cardText)
    .join("\n");
}

async function shownOf(ticker: string): Promise<string> {
  return (await app.run("alice", `show ${ticker}`)).map(cardText).join("\n");
}

async function whyIn(channel: string, ticker: string): Promise<string> {
  const cards = await app.run("alice", `why ${ticker}`, { channel });
  return cards.map(cardText).join("\n");
}

const CANCELLATION =
  "Established 1 Inc. (NASDAQ: ESTA) announced today that it has cancelled its previously announced reverse stock split.";
const POSTPONEMENT =
  "Established 1 Inc. (NASDAQ: ESTA) announced today that it has postponed its previously announced reverse stock split.";

describe("an approval of a possible split", () => {
  it("is sent once, as an early alert by rule and as a release by watchlist", async () => {
    await app.run("bob", "subscribe", { channel: "usual" });
    await app.run("bob", "subscribe events:early minratio:20", { channel: "steep" });
    const range =
      "Its stockholders approved a reverse stock split at a ratio between 1-for-5 and 1-for-40, to be chosen by the board.";
    await publish(
      "newc-votes",
      "Newcomer Stockholders Approve Proposals",
      "Newcomer Inc. (NASDAQ: NEWC) held its meeting.",
      range,
    );

    const sent = await alertTitles(app);
    expect(sent.channel).toEqual([expect.stringMatching(/^NEWC: .* not yet a split: Newcomer Stockholders Approve/)]);
    expect(sent.person).toEqual(["NEWC: Newcomer Stockholders Approve Proposals"]);
    expect(await lastText()).toContain(`"${range}"`);
    expect(await titlesIn("usual")).toEqual([]);
    expect(await titlesIn("steep")).toEqual([]);
    expect(await whyIn("general", "NEWC")).toContain('Not sent: the "early" alert covers it');
    expect(await whyIn("steep", "NEWC")).toContain("rule 1: the ratio is not known");
  });
});

describe("a release about a split that is not listed yet", () => {
  it("is marked as not listed, and is linked by the later announcement", async () => {
    await publish(
      "newc-splits",
      "Newcomer Announces 1-for-30 Reverse Stock Split",
      "Newcomer Inc. (NASDAQ: NEWC) today announced that it will effect a 1-for-30 reverse stock split.",
    );
    expect(await lastText()).toContain("Announced in a release, not listed yet");
    const shown = await app.run("alice", "show NEWC");
    expect(shown[0]?.title).toContain("announced in a release, not listed yet");

    upstream.splits = [...ESTABLISHED, NEWC];
    await app.poll();
    const announced = await lastText();
    expect(announced).toMatch(/^NEWC 1-for-30 reverse split, ex date /);
    expect(announced).toContain("<https://wire.example/newc-splits>");
    expect((await app.run("alice", "show NEWC"))[0]?.title).toMatch(/^NEWC 1-for-30 reverse split, ex date /);
  });
});

async function restart(): Promise<void> {
  await established.stop(app);
  app = await established.start();
}

describe("a split and its release in one poll", () => {
  const ROUNDS_UP = "Any fractional share will be rounded up to the next whole share.";
  const RELEASE = anArticleRow({
    url: "https://wire.example/newc-splits",
    heading: "Newcomer Announces 1-for-30 Reverse Stock Split",
    date_published: "2026-03-03",
    content: `Newcomer Inc. (NASDAQ: NEWC) will effect a 1-for-30 reverse stock split. ${ROUNDS_UP}`,
  });

  /** Adds both now, or after one of the two lists was read. */
  function addBoth(when: "together" | "between two answers"): void {
    const show = (): void => {
      upstream.splits = [...ESTABLISHED, NEWC];
      upstream.articles = [RELEASE, ...upstream.articles];
      upstream.beforeAnswer = () => undefined;
    };
    upstream.requests.length = 0;
    if (when === "together") show();
    else
      upstream.beforeAnswer = () => {
        if (upstream.requests.length > 1) show();
      };
  }

  it.each([
    ["after a restart", "together", restart],
    ["after a restart", "between two answers", restart],
    ["when both are due", "together", () => app.tickBoth()],
    ["when both are due", "between two answers", () => app.tickBoth()],
  ] as const)("%s: the announcement quotes the release, which appears %s", async (_, when, poll) => {
    established.clock.setTo("2026-03-03T16:00Z");
    addBoth(when);
    await poll();
    const first = await lastText();
    if (when === "between two answers") await app.poll();
    const cards = cardsOf(await app.messages("alice", "general")).map(cardText);
    const announced = cards.filter((text) => text.startsWith("NEWC 1-for-30 reverse split, ex date"));
    expect(announced).toEqual([expect.stringContaining(`"${ROUNDS_UP}"`)]);
    expect(cards).toHaveLength(2);
    // A split that is listed by then is not called missing.
    expect(cards.join("\n").includes("not listed yet")).toBe(when === "between two answers");
    expect(first).not.toBe("");
  });

  it("is sent as announced and then as cancelled, if the release cancels it", async () => {
    await established.stop(app);
    upstream.splits = [...ESTABLISHED, NEWC];
    const content = "Newcomer Inc. (NASDAQ: NEWC) has cancelled its previously announced reverse stock split.";
    upstream.articles = [
      { ...RELEASE, heading: "Newcomer Cancels Reverse Stock Split", content },
      ...upstream.articles,
    ];
    app = await established.start();
    expect((await titlesIn("general")).slice(-2)).toEqual([
      expect.stringMatching(/^NEWC 1-for-30 reverse split, ex date /),
      expect.stringMatching(/^NEWC 1-for-30 reverse split cancelled, according to a release/),
    ]);
  });
});

describe("a release that the wire corrects at its address", () => {
  it("replaces the old text without another alert", async () => {
    const heading = "Established 1 Announces Reverse Stock Split";
    const news = "Established 1 Inc. (NASDAQ: ESTA) today announced that it will effect a 1-for-3 reverse stock split.";
    await publish("esta-splits", heading, news);
    expect(await shownOf("ESTA")).toContain("The release says 1-for-3; the list says 1-for-2.");
    const sent = (await titlesIn("general")).length;

    upstream.articles = [];
    await publish(
      "esta-splits",
      heading,
      news.replace("1-for-3", "1-for-2"),
      "Any fractional share will be rounded up.",
    );
    const shown = await shownOf("ESTA");
    expect(shown).not.toContain("The release says");
    expect(shown).toContain("Any fractional share will be rounded up.");
    expect(await titlesIn("general")).toHaveLength(sent);
  });
});

describe("a release that withdraws a split", () => {
  it("replaces the missing alert for its recipients, but not for others", async () => {
    await app.run("bob", "subscribe events:missing", { channel: "gone" });
    await publish("esta-cancels", "Established 1 Cancels Reverse Stock Split", CANCELLATION);
    const cancelled = expect.stringMatching(/^ESTA 1-for-2 reverse split cancelled, according to a release/);
    upstream.splits = OTHERS;
    await app.poll(5);
    expect(await alertTitles(app)).toEqual({ channel: [cancelled], person: [cancelled] });
    expect(await titlesIn("gone")).toEqual([
      "ESTA 1-for-2 reverse split is no longer listed: cancelled, according to a release",
    ]);
    expect(await lastText("gone")).toContain("<https://wire.example/esta-cancels>");
    expect(await whyIn("general", "ESTA")).toContain('Not sent: the "cancelled" alert covers it');
  });

  it("is sent as a reply to the missing alert", async () => {
    upstream.splits = OTHERS;
    await app.poll(3);
    await publish("esta-postpones", "Established 1 Postpones Reverse Stock Split", POSTPONEMENT);
    const [missing, postponed, ...others] = await app.messages("alice");
    expect(others).toEqual([]);
    expect(postponed?.replyTo).toBe(missing?.messageId);
    expect(await lastText()).toContain("This explains why the source no longer lists it.");
    expect((await app.run("alice", "show ESTA"))[0]?.lines[0]).toContain(": postponed, according to a release.");
  });

  it("is followed by a change to the new date after a postponement", async () => {
    await publish("esta-postpones", "Established 1 Postpones Reverse Stock Split", POSTPONEMENT);
    upstream.splits = OTHERS;
    await app.poll(3);
    expect(await lastText()).toMatch(
      /^ESTA 1-for-2 reverse split is no longer listed: postponed, according to a release/,
    );
    upstream.splits = [{ ...aSplitRow(), ...ESTABLISHED[0], ex_date: "2026-04-09" }, ...OTHERS];
    await app.poll();
    expect(await lastText()).toMatch(/^ESTA 1-for-2 reverse split changed: ex date Fri 20 Mar 2026 → Thu 9 Apr 2026/);
  });
});

describe("a rule with a fraction filter", () => {
  it("matches once, when a release states the treatment, and why explains it", async () => {
    await app.run("bob", "subscribe fractional:round_up,cash_in_lieu", { channel: "fractions" });
    upstream.splits = [...ESTABLISHED, NEWC];
    await app.poll();
    expect(await titlesIn("fractions")).toEqual([]);
    expect(await whyIn("fractions", "NEWC")).toContain("rule 1: the treatment of fractional shares is not stated");

    const news = "Newcomer Inc. (NASDAQ: NEWC) today announced a 1-for-30 reverse stock split.";
    const roundsUp = "Any fractional share will be rounded up to the next whole share at the participant level.";
    await publish("newc-1", "Newcomer Announces 1-for-30 Reverse Stock Split", news, roundsUp);
    expect(await titlesIn("fractions")).toEqual([expect.stringMatching(/^NEWC 1-for-30 reverse split, ex date /)]);
    expect(await lastText("fractions")).toContain("per clearing participant (a broker, not its customers)");
    expect(await lastText("fractions")).toContain(`"${roundsUp}"`);
    expect(await whyIn("fractions", "NEWC")).toContain("(matched: rule 1)");

    const paysCash = "Holders will receive cash in lieu of fractional shares.";
    await publish("newc-2", "Newcomer Announces 1-for-30 Reverse Stock Split", news, paysCash);
    expect((await titlesIn("fractions")).slice(1)).toEqual([
      "NEWC 1-for-30 reverse split changed: fractional shares rounded up to a whole share per clearing participant → paid out in cash (cash in lieu) per holder",
    ]);
    expect(await lastText("fractions")).toContain(`"${roundsUp}" GlobeNewswire, `);
    expect(await lastText("fractions")).toContain(`"${paysCash}" GlobeNewswire, `);
    expect((await alertTitles(app)).channel.filter((title) => title.includes("reverse split, ex date"))).toHaveLength(
      1,
    );
  });
});
