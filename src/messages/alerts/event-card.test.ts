import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, day, exchange, someTerms, ticker } from "../../../test/support/builders.ts";
import { cardText } from "../../../test/support/card-text.ts";
import { type Announced, type Event, type EventId, NO_EVIDENCE, type SplitEvent } from "../../domain/alert/event.ts";
import type { Fraction, FractionEvidence, KnownArticle } from "../../domain/article/article.ts";
import type { SplitId } from "../../domain/split/split.ts";
import { type AlertContext, eventCard } from "./event-card.ts";

const NOW = Date.parse("2026-03-02T14:00:00Z");
const DAY_MS = 86_400_000;
const AT: AlertContext = { now: NOW, today: day("2026-03-02"), timezone: "America/New_York", expireAfterMs: DAY_MS };

const ROUNDED_UP: Fraction = {
  treatment: "round_up",
  level: "holder",
  sentence: "Any fraction will be rounded up to the next whole share.",
};
const EVIDENCE: FractionEvidence = { ...ROUNDED_UP, url: "https://wire.example/acme-1", source: "globenewswire" };

const BASE = {
  id: "1.1" as EventId,
  at: NOW,
  sample: false,
  splitId: "1" as SplitId,
  record: aRecord(),
  ...NO_EVIDENCE,
} as const;

const LINKED = [{ splitId: BASE.splitId, record: BASE.record }];
const RELEASE = { id: BASE.id, at: NOW, sample: false } as const;

const ANNOUNCED: Announced = { ...BASE, kind: "announced", alreadyEffective: false };

function textOf(event: Event, at: Partial<AlertContext> = {}): string {
  return cardText(eventCard(event, { ...AT, ...at }));
}

describe("the title of an alert", () => {
  const cases: readonly (readonly [string, SplitEvent, string])[] = [
    ["announced", ANNOUNCED, "ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026 (in 6 trading days)"],
    [
      "already in effect",
      { ...ANNOUNCED, record: aRecord({ exDate: "2026-02-20" }), alreadyEffective: true },
      "ACME 1-for-20 reverse split, already in effect since Fri 20 Feb 2026",
    ],
    [
      "ratio unreadable",
      { ...ANNOUNCED, record: aRecord({ ratio: "1:1" }) },
      'ACME reverse split (ratio "1:1"), ex date Tue 10 Mar 2026 (in 6 trading days)',
    ],
    [
      "ratio with a fraction",
      { ...ANNOUNCED, record: aRecord({ ratio: "10:77" }) },
      "ACME 1-for-7.7 reverse split, ex date Tue 10 Mar 2026 (in 6 trading days)",
    ],
    [
      "date moved",
      { ...BASE, kind: "changed", was: aRecord({ exDate: "2026-03-05" }), terms: ["exDate"], flapping: false },
      "ACME 1-for-20 reverse split changed: ex date Thu 5 Mar 2026 → Tue 10 Mar 2026",
    ],
    [
      "ratio and exchange changed",
      {
        ...BASE,
        kind: "changed",
        was: aRecord({ ratio: "1:25", exchange: "OTC" }),
        terms: ["ratio", "exchange"],
        flapping: false,
      },
      "ACME reverse split changed: ratio 1-for-25 → 1-for-20; exchange OTC → Nasdaq",
    ],
    [
      "no relevant change",
      { ...BASE, kind: "changed", was: aRecord({ company: "Acme" }), terms: [], flapping: false },
      "ACME 1-for-20 reverse split: record corrected, terms unchanged",
    ],
    [
      "missing",
      { ...BASE, kind: "missing", pollsMissed: 3, flapping: false, withdrawnBy: null },
      "ACME 1-for-20 reverse split is no longer listed: cancelled, completed or corrected?",
    ],
    [
      "returned",
      { ...BASE, kind: "returned", was: aRecord(), flapping: false },
      "ACME 1-for-20 reverse split is listed again, ex date Tue 10 Mar 2026 (in 6 trading days)",
    ],
    [
      "postponed",
      { ...BASE, kind: "postponed", article: aKnownArticle(), explainsMissing: false },
      "ACME 1-for-20 reverse split postponed, according to a release (ex date was Tue 10 Mar 2026)",
    ],
    [
      "cancelled",
      { ...BASE, kind: "cancelled", article: aKnownArticle(), explainsMissing: false },
      "ACME 1-for-20 reverse split cancelled, according to a release (ex date was Tue 10 Mar 2026)",
    ],
  ];

  it.each(cases)("has the essential facts: %s", (_case, event, title) => {
    expect(eventCard(event, AT).title).toBe(title);
  });

  it.each([
    ["the day before", "2026-03-09", "Reminder: ACME 1-for-20 reverse split takes effect tomorrow, Tue 10 Mar 2026"],
    ["late, on the ex date", "2026-03-10", "Reminder: ACME 1-for-20 reverse split takes effect today, Tue 10 Mar 2026"],
    [
      "after the ex date",
      "2026-03-12",
      "Reminder: ACME 1-for-20 reverse split took effect 2 days ago, Tue 10 Mar 2026",
    ],
  ])("counts the days of a reminder from the day it is sent: %s", (_case, today, title) => {
    expect(eventCard({ ...BASE, kind: "reminder", daysLeft: 1 }, { ...AT, today: day(today) }).title).toBe(title);
  });

  it.each([
    ["2026-03-10", "ACME 1-for-20 reverse split in effect today, Tue 10 Mar 2026"],
    ["2026-03-11", "ACME 1-for-20 reverse split in effect since Tue 10 Mar 2026"],
  ])("states on %s since when a split is in effect", (today, title) => {
    expect(eventCard({ ...BASE, kind: "effective" }, { ...AT, today: day(today) }).title).toBe(title);
  });
});

describe("an alert", () => {
  it("for a new split shows its terms, the last trading day before it, and a quote from the release", () => {
    expect(textOf({ ...ANNOUNCED, fraction: EVIDENCE })).toBe(
      [
        "ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026 (in 6 trading days)",
        "Company: Acme Robotics Inc.",
        "Exchange: Nasdaq",
        "Ratio: 1-for-20 (1:20): 20 old shares become 1 new",
        "Ex date: Tue 10 Mar 2026, in 6 trading days",
        "Last trading day before: Mon 9 Mar 2026",
        "Announced: Fri 27 Feb 2026",
        "Fractional shares: rounded up to a whole share, per holder",
        '"Any fraction will be rounded up to the next whole share." GlobeNewswire <https://wire.example/acme-1>',
        "(Watch ACME: watch ACME)",
        "(Details: show ACME)",
        "_Seen Mon 2 Mar 2026, 09:00 EST_",
      ].join("\n"),
    );
  });

  it("shows 'not stated' for missing terms", () => {
    const text = textOf({ ...ANNOUNCED, record: aRecord({ company: "", dateAnnounced: null }) });
    expect(text).toContain("Company: not stated");
    expect(text).toContain("Announced: not stated");
    expect(text).toContain("Fractional shares: not stated");
  });

  it("states the rounding level of fractions only if a release does", () => {
    const text = textOf({ ...ANNOUNCED, fraction: { ...EVIDENCE, treatment: "cash_in_lieu", level: null } });
    expect(text).toContain(
      "Fractional shares: paid out in cash (cash in lieu); the release doesn't say whether per holder or per broker",
    );
  });

  it("shows an unparsable ratio unchanged, with a mark", () => {
    const text = textOf({ ...ANNOUNCED, record: aRecord({ ratio: "one for twenty" }) });
    expect(text).toContain('Ratio: "one for twenty", as received');
    expect(text).toContain(`! The ratio "one for twenty" couldn't be read.`);
  });

  it("shows the ratio in words and in its original notation, in either order", () => {
    expect(textOf({ ...ANNOUNCED, record: aRecord({ ratio: "2,400:1" }) })).toContain(
      "Ratio: 1-for-2,400 (2,400:1): 2,400 old shares become 1 new",
    );
  });

  it("notes that trading days are counted as weekdays", () => {
    expect(textOf({ ...ANNOUNCED, record: aRecord({ exchange: "TSX" }) })).toContain(
      "! Trading days on TSX are counted as weekdays; holidays aren't checked.",
    );
  });

  it("notes an early close on the last trading day before the ex date", () => {
    const record = aRecord({ exDate: "2026-11-30" });
    expect(textOf({ ...ANNOUNCED, record })).toContain(
      "Last trading day before: Fri 27 Nov 2026 (the exchange closes early)",
    );
  });

  it("for a change shows old and new values and the consequence", () => {
    const was = aRecord({ ratio: "1:25", exDate: "2026-03-05" });
    const text = textOf({ ...BASE, kind: "changed", was, terms: ["ratio", "exDate"], flapping: false });
    expect(text).toContain("Ratio: 1-for-25 → 1-for-20");
    expect(text).toContain("Ex date: Thu 5 Mar 2026 → Tue 10 Mar 2026");
    expect(text).toContain("The split is less steep: more shares remain than under the previous terms.");
    expect(text).toContain(
      "3 trading days later than before: the last trading day before the split is now Mon 9 Mar 2026.",
    );
  });

  it.each([
    ["earlier", "2026-03-12", "2 trading days earlier than before"],
    ["over a weekend only", "2026-03-08", "2 trading days later than before"],
  ])("counts a date that moved %s in trading days", (_case, exDate, words) => {
    const was = aRecord({ exDate });
    expect(textOf({ ...BASE, kind: "changed", was, terms: ["exDate"], flapping: false })).toContain(words);
  });

  it("for a flapping record warns that it keeps changing", () => {
    const flapping = {
      ...BASE,
      kind: "changed",
      was: aRecord({ ratio: "1:25" }),
      terms: ["ratio"],
      flapping: true,
    } as const;
    expect(textOf(flapping)).toContain("The source keeps changing this record.");
    expect(eventCard(flapping, AT).tone).toBe("warning");
    expect(textOf({ ...BASE, kind: "missing", pollsMissed: 3, flapping: true, withdrawnBy: null })).toContain(
      "keeps changing",
    );
    expect(textOf({ ...BASE, kind: "returned", was: aRecord(), flapping: true })).toContain("keeps changing");
  });

  it("for a returned split shows the changed terms", () => {
    const text = textOf({ ...BASE, kind: "returned", was: aRecord({ exDate: "2026-03-05" }), flapping: false });
    expect(text).toContain("Its terms changed: ex date Thu 5 Mar 2026 → Tue 10 Mar 2026.");
  });

  it("for a postponed split links to the release", () => {
    const text = textOf({ ...BASE, kind: "postponed", article: aKnownArticle(), explainsMissing: false });
    expect(text).toContain(
      "Release: Acme Robotics Announces Reverse Stock Split (GlobeNewswire, Mon 2 Mar 2026) <https://wire.example/acme-1>",
    );
  });

  const CANCELLED = aKnownArticle({ kind: "cancelled", kindSentence: "Acme has cancelled its reverse stock split." });
  const POSTPONED = aKnownArticle({ kind: "postponed", kindSentence: "Acme has postponed its reverse stock split." });
  const POSTPONED_TO = { ...POSTPONED, terms: [someTerms({ exDate: "2026-03-17" })] };
  const MISSING = { ...BASE, kind: "missing", pollsMissed: 3, flapping: false } as const;

  it.each<[string, SplitEvent, string, string]>([
    [
      "cancelled",
      { ...BASE, kind: "cancelled", article: CANCELLED, explainsMissing: false },
      "none, the split is cancelled",
      "Acme has cancelled its reverse stock split.",
    ],
    [
      "postponed",
      { ...BASE, kind: "postponed", article: POSTPONED, explainsMissing: false },
      "postponed, no new date is listed",
      "Acme has postponed its reverse stock split.",
    ],
    [
      "postponed to a stated day",
      { ...BASE, kind: "postponed", article: POSTPONED_TO, explainsMissing: false },
      "Tue 17 Mar 2026, according to the release; not listed yet",
      "Acme has postponed its reverse stock split.",
    ],
    [
      "missing after a release",
      { ...MISSING, withdrawnBy: { ...CANCELLED, sentence: "Acme has cancelled its reverse stock split." } },
      "cancelled",
      "Acme has cancelled its reverse stock split.",
    ],
  ])(
    "doesn't state the old ex date as a fact, and quotes the sentence that ends it: %s",
    (_case, event, now, quote) => {
      const { title, lines, facts, quotes } = eventCard(event, AT);
      expect(facts).toContainEqual({ label: "Ex date", value: now, was: "Tue 10 Mar 2026" });
      expect(facts.map(({ label }) => label)).not.toContain("Last trading day before");
      expect([title, ...lines].join(" ")).not.toContain("trading days)");
      expect(quotes.map(({ text }) => text)).toContain(quote);
    },
  );

  it("for a missing split without a release shows the old ex date as the previous value", () => {
    expect(eventCard({ ...MISSING, withdrawnBy: null }, AT).facts).toContainEqual({
      label: "Ex date",
      value: "no longer listed",
      was: "Tue 10 Mar 2026",
    });
  });

  it("for a postponement whose new date is already listed shows that date as a fact", () => {
    const { title, facts, lines } = eventCard(
      { ...BASE, kind: "postponed", article: POSTPONED, explainsMissing: false, isRescheduled: true },
      AT,
    );
    expect(title).toContain("(new ex date Tue 10 Mar 2026 (in 6 trading days))");
    expect(facts).toContainEqual({ label: "Ex date", value: "Tue 10 Mar 2026, in 6 trading days" });
    expect(lines).toEqual(["The source already lists the new ex date."]);
  });

  it.each([
    ["cancelled", CANCELLED, "Cancelled, according to this release; the ex date was Tue 10 Mar 2026"],
    ["postponed", POSTPONED, "Postponed, according to this release; the ex date was Tue 10 Mar 2026"],
    [
      "another company's",
      { ...CANCELLED, subject: "Evil Research LLC" },
      "Ex date Tue 10 Mar 2026 (in 6 trading days)",
    ],
  ])("for a release that withdraws a split doesn't list the old date as its ex date: %s", (_case, article, detail) => {
    const { rows, quotes } = eventCard({ kind: "article", ...RELEASE, article, splits: LINKED }, AT);
    expect(rows.map((row) => row.detail)).toEqual([detail]);
    expect(quotes.map(({ text }) => text)).toEqual([article.kindSentence]);
  });

  it("for a release names its wire, its tickers and its splits", () => {
    const article = aKnownArticle({ fraction: ROUNDED_UP });
    const splits = [{ splitId: BASE.splitId, record: BASE.record }];
    expect(textOf({ kind: "article", id: BASE.id, at: NOW, sample: false, article, splits })).toBe(
      [
        "ACME: Acme Robotics Announces Reverse Stock Split <https://wire.example/acme-1>",
        "Wire: GlobeNewswire",
        "Published: Mon 2 Mar 2026",
        "Tickers: ACME",
        "Type: reverse split announcement",
        "Fractional shares: rounded up to a whole share, per holder",
        "- ACME 1-for-20 reverse split | Ex date Tue 10 Mar 2026 (in 6 trading days)",
        '"Any fraction will be rounded up to the next whole share." GlobeNewswire <https://wire.example/acme-1>',
        "(Watch ACME: watch ACME)",
        "(Details: show ACME)",
        "_Seen Mon 2 Mar 2026, 09:00 EST_",
      ].join("\n"),
    );
  });

  it("for a release marks only the terms that differ from the list", () => {
    const article = aKnownArticle({ terms: [someTerms({ ratio: "1:25", exDate: "2026-03-10" })] });
    const { warnings } = eventCard({ kind: "article", ...RELEASE, article, splits: LINKED }, AT);
    expect(warnings).toEqual(["The release says 1-for-25; the list says 1-for-20."]);
  });

  it.each<[string, Partial<KnownArticle>, readonly string[]]>([
    ["withdraws the split", { kind: "cancelled" }, []],
    [
      "states another ratio",
      { terms: [someTerms({ ratio: "1:25" })] },
      ["The release says 1-for-25; the list says 1-for-20."],
    ],
  ])("marks a release of another company that %s", (_, parts, others) => {
    const article = aKnownArticle({ ...parts, subject: "Evil Research LLC" });
    const { warnings } = eventCard({ kind: "article", ...RELEASE, article, splits: LINKED }, AT);
    expect(warnings).toEqual([
      ...others,
      "The release isn't known as the issuer's. The listed split of ACME is unchanged.",
    ]);
  });

  it.each([
    [
      "reverse_split",
      [someTerms({ ratio: "1:25" })],
      [
        "- ACME 1-for-25 reverse split | Announced in a release, not listed yet; the release says: ratio 1-for-25, ex date not stated",
      ],
    ],
    [
      "ads_ratio_change",
      [someTerms({ exDate: "2026-03-11" })],
      [
        "- ACME reverse split | Announced in a release, not listed yet; the release says: ratio not stated, ex date Wed 11 Mar 2026",
      ],
    ],
    [
      "postponed",
      [],
      [
        "- ACME reverse split | Announced in a release, not listed yet; the release says: ratio not stated, ex date not stated",
      ],
    ],
    ["cancelled", [], []],
    ["completed_past", [someTerms({ ratio: "1:25" })], []],
    ["forward_split", [someTerms({ ratio: "1:25" })], []],
  ] as const)(
    "for a release on an unlisted split notes that it is not listed yet, if it announces one: %s",
    (kind, terms, rows) => {
      const text = textOf({ kind: "article", ...RELEASE, article: aKnownArticle({ kind, terms }), splits: [] });
      expect(text.split("\n").filter((line) => line.startsWith("- "))).toEqual(rows);
    },
  );

  it("for several funds distinguishes listed and unlisted funds", () => {
    const terms = ["ACME", "BETA"].map((name) => someTerms({ ticker: ticker(name), ratio: "1:20" }));
    const { rows } = eventCard({ kind: "article", ...RELEASE, article: aKnownArticle({ terms }), splits: LINKED }, AT);
    expect(rows.map(({ title, detail }) => [title, detail.split(" ")[0]])).toEqual([
      ["ACME 1-for-20 reverse split", "Ex"],
      ["BETA 1-for-20 reverse split", "Announced"],
    ]);
  });

  it.each([
    ["approval_only", "approval, not yet a split"],
    ["ratio_range", "range of ratios, not yet a split"],
  ] as const)("for an early release is marked as %s and quotes the release", (kind, words) => {
    const article = aKnownArticle({
      kind,
      heading: "Acme Holders Vote",
      kindSentence: "Holders approved a split between 1-for-5 and 1-for-30.",
      terms: [someTerms({ company: "Acme Robotics Inc." })],
    });
    const text = textOf({ kind: "early", ...RELEASE, article, splits: [] });
    expect(text).toContain(`[NOT YET A SPLIT] ACME: ${words}: Acme Holders Vote <https://wire.example/acme-1>`);
    expect(text).toMatch(/(?:isn't|nor the split itself is) decided yet/);
    expect(text).toContain("Company: Acme Robotics Inc.");
    expect(text).toContain("Tickers: ACME");
    expect(text).toContain("Ratio (release): not final: see the quote below");
    expect(text).toContain(
      '"Holders approved a split between 1-for-5 and 1-for-30." GlobeNewswire <https://wire.example/acme-1>',
    );
    expect(text).not.toContain("not listed yet");
  });

  it("for an early release shows the range of ratios and quotes the sentence that states it", () => {
    const article = aKnownArticle({
      kind: "ratio_range",
      kindSentence: "Holders approved the proposal.",
      range: {
        bounds: [
          { newShares: 1, oldShares: 5 },
          { newShares: 1, oldShares: 30 },
        ],
        sentence: "The ratio will be between 1-for-5 and 1-for-30.",
      },
    });
    const { title, facts, quotes } = eventCard({ kind: "early", ...RELEASE, article, splits: [] }, AT);
    expect(title).toContain("ACME: range of ratios (1-for-5 to 1-for-30), not yet a split");
    expect(facts).toContainEqual({ label: "Ratio (range)", value: "1-for-5 to 1-for-30" });
    expect(quotes.map(({ text }) => text)).toEqual([
      "The ratio will be between 1-for-5 and 1-for-30.",
      "Holders approved the proposal.",
    ]);
  });

  it("for an early release shows its ratio, or 'not stated' if it has none", () => {
    const withRatio = aKnownArticle({ kind: "approval_only", terms: [someTerms({ ratio: "1:25" })] });
    expect(textOf({ kind: "early", ...RELEASE, article: withRatio, splits: [] })).toContain(
      "Ratio (release): 1-for-25",
    );
    const withoutRatio = aKnownArticle({ kind: "approval_only" });
    expect(textOf({ kind: "early", ...RELEASE, article: withoutRatio, splits: [] })).toContain(
      "Ratio (release): not stated",
    );
  });

  const LINK = aKnownArticle({ heading: "Acme Says Why" });

  it.each([
    ["announced", ANNOUNCED],
    ["changed", { ...BASE, kind: "changed", was: aRecord({ ratio: "1:30" }), terms: ["ratio"], flapping: false }],
    ["reminder", { ...BASE, kind: "reminder", daysLeft: 1 }],
  ] as const)("for a split links to its release and marks the terms that differ: %s", (_kind, event) => {
    const disagreements = [
      { term: "ratio", stated: { newShares: 1, oldShares: 25 } },
      { term: "exDate", stated: day("2026-03-11") },
    ] as const;
    const text = textOf({ ...event, release: LINK, disagreements });
    expect(text).toContain("Release: Acme Says Why (GlobeNewswire, Mon 2 Mar 2026) <https://wire.example/acme-1>");
    expect(text).toContain("! The release says 1-for-25; the list says 1-for-20.");
    expect(text).toContain("! The release says ex date Wed 11 Mar 2026; the list says Tue 10 Mar 2026.");
  });

  it("for a missing split states that an earlier release withdrew it", () => {
    const withdrawnBy = { ...LINK, kind: "cancelled" } as const;
    const text = textOf({ ...BASE, kind: "missing", pollsMissed: 3, flapping: false, withdrawnBy });
    expect(text).toContain("ACME 1-for-20 reverse split is no longer listed: cancelled, according to a release");
    expect(text).toContain("An earlier release said it was cancelled, which explains this.");
    expect(text).toContain("Release: Acme Says Why");
    expect(text).not.toContain("corrected?");
  });

  it.each(["postponed", "cancelled"] as const)(
    "for a split that was missing states that the release explains it: %s",
    (kind) => {
      const text = textOf({ ...BASE, kind, article: LINK, explainsMissing: true });
      expect(text).toContain("This explains why the source no longer lists it.");
      expect(textOf({ ...BASE, kind, article: LINK, explainsMissing: false })).not.toContain("This explains");
    },
  );

  it("for a release without tickers has no buttons and shows 'not stated'", () => {
    const article = aKnownArticle({ concerns: [], kind: "other", source: "otherwire" });
    const text = textOf({ kind: "article", id: BASE.id, at: NOW, sample: false, article, splits: [] });
    expect(text).toContain("Press release: Acme Robotics Announces");
    expect(text).toContain("Tickers: not stated");
    expect(text).toContain("Wire: otherwire");
    expect(text).not.toContain("(");
  });

  it("for a release on many tickers has a limited number of buttons", () => {
    const concerns = ["AA", "BB", "CC", "DD"].map((name) => ({ ticker: ticker(name), exchange: exchange("NYSE") }));
    const article = aKnownArticle({ concerns });
    const card = eventCard({ kind: "article", id: BASE.id, at: NOW, sample: false, article, splits: [] }, AT);
    expect(card.title).toBe("AA, BB, CC and 1 more: Acme Robotics Announces Reverse Stock Split");
    expect(card.buttons).toHaveLength(4);
  });

  it("is marked LATE with its original time if it is delayed beyond the limit", () => {
    const text = textOf({ ...ANNOUNCED, at: NOW - 3 * DAY_MS });
    expect(text).toContain("[LATE] ACME");
    expect(text).toContain("This alert is late: the event was seen on Fri 27 Feb 2026, 09:00 EST, 3 days ago.");
  });

  it("is not marked LATE at exactly the maximum age", () => {
    expect(eventCard({ ...ANNOUNCED, at: NOW - DAY_MS }, AT).badges).toEqual([]);
  });

  it("is marked SAMPLE if it is about sample data", () => {
    const text = textOf({ ...ANNOUNCED, sample: true });
    expect(text).toContain("[SAMPLE] ACME");
    expect(text).toContain("Sample data, not a real company.");
  });

  it("for a test is marked TEST and names the requester", () => {
    const text = textOf({ kind: "test", id: BASE.id, at: NOW, sample: false, askedBy: "alice" });
    expect(text).toContain("[TEST]");
    expect(text).toContain("Requested by: alice");
  });

  it("for a first poll lists the splits by ex date and counts the omitted splits", () => {
    const records = Array.from({ length: 23 }, (_, index) =>
      aRecord({ ticker: `T${index}`, exDate: `2026-03-${String(31 - index).padStart(2, "0")}` }),
    );
    const card = eventCard({ kind: "digest", id: BASE.id, at: NOW, sample: false, records }, AT);
    expect(card.title).toBe("23 reverse splits already listed by this source");
    expect(card.rows).toHaveLength(20);
    expect(card.rows[0]?.title).toBe("T22 1-for-20 reverse split");
    expect(card.lines).toContain("3 more splits not shown. See them all: /splits list when:all");
  });
});

describe("a split that only a notice states", () => {
  const release = aKnownArticle();
  const notice = { source: "Nasdaq corporate actions", url: "https://exchange.example/notice?id=1" };
  const noticeOf = (): typeof notice => notice;
  const sourcesOf = (event: SplitEvent): readonly unknown[] =>
    eventCard(event, { ...AT, noticeOf }).facts.filter(({ label }) => label === "Source");

  it("is linked to it", () => {
    expect(sourcesOf(ANNOUNCED)).toEqual([{ label: "Source", value: notice.source, link: notice.url }]);
    expect(eventCard(ANNOUNCED, AT).facts.map(({ label }) => label)).not.toContain("Source");
  });

  it("is linked to its release once there is one", () => {
    expect(sourcesOf({ ...ANNOUNCED, release })).toEqual([]);
  });
});
