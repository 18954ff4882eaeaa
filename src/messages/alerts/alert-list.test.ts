import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, day } from "../../../test/support/builders.ts";
import { cardText } from "../../../test/support/card-text.ts";
import {
  type Announced,
  type ArticleEvent,
  type Changed,
  type EventId,
  NO_EVIDENCE,
} from "../../domain/alert/event.ts";
import type { SplitId } from "../../domain/split/split.ts";
import { DAY_MS } from "../../domain/time/day.ts";
import { alertListCard, type ListedAlert } from "./alert-list.ts";
import type { AlertContext } from "./event-card.ts";

const NOW = Date.parse("2026-03-02T14:00:00Z");
const AT: AlertContext = { now: NOW, today: day("2026-03-02"), timezone: "America/New_York", expireAfterMs: DAY_MS };

function announced(ticker: string, exDate = "2026-03-10", parts: Partial<Announced> = {}): Announced {
  return {
    kind: "announced",
    id: `${ticker}.1` as EventId,
    at: NOW,
    sample: false,
    splitId: ticker as SplitId,
    record: aRecord({ ticker, exDate }),
    ...NO_EVIDENCE,
    alreadyEffective: false,
    ...parts,
  };
}

function changed(ticker: string): Changed {
  const { alreadyEffective: _, ...base } = announced(ticker, "2026-03-17");
  return { ...base, kind: "changed", was: aRecord({ ticker }), terms: ["exDate"], flapping: false };
}

const RELEASE: ArticleEvent = {
  kind: "article",
  id: "https://wire.example/acme-1" as EventId,
  at: NOW - 60_000,
  sample: false,
  article: aKnownArticle(),
  splits: [],
};

function listOf(events: readonly ListedAlert["event"][], parts: Partial<ListedAlert> = {}): string {
  return cardText(
    alertListCard(
      events.map((event) => ({ event, hold: null, ...parts })),
      AT,
    ),
  );
}

/** Announcements of `count` splits, spread over 20 ex dates. */
function many(count: number): readonly Announced[] {
  return Array.from({ length: count }, (_, index) =>
    announced(`Q${String(index).padStart(3, "0")}`, `2026-03-${(index % 20) + 10}`),
  );
}

describe("a list of alerts", () => {
  it("links the release of an announcement", () => {
    const { url, source, heading, published, kind } = RELEASE.article;
    const release = { url, source, heading, published, kind };
    const events = [announced("ACME", "2026-03-10", { release }), announced("BRVO")];
    const { rows } = alertListCard(
      events.map((event) => ({ event, hold: null })),
      AT,
    );
    expect(rows.map(({ link }) => link)).toEqual([url, undefined]);
  });

  it("has a row for each alert, sorted by kind and ex date", () => {
    const broken = announced("ODDR", "2026-03-10", { record: aRecord({ ticker: "ODDR", ratio: "1:1" }) });
    expect(listOf([RELEASE, changed("BRVO"), broken, announced("ACME", "2026-03-05")])).toBe(
      [
        "4 alerts: 2 splits announced, 1 split changed and 1 press release",
        "See the details of one: /splits show TICKER",
        "- ACME 1-for-20 reverse split, ex date Thu 5 Mar 2026 (in 3 trading days) | Nasdaq · Acme Robotics Inc.",
        '- [CHECK] ODDR reverse split (ratio "1:1"), ex date Tue 10 Mar 2026 (in 6 trading days) | Nasdaq · Acme Robotics Inc.',
        "- BRVO 1-for-20 reverse split changed: ex date Tue 10 Mar 2026 → Tue 17 Mar 2026 | Nasdaq · Acme Robotics Inc.",
        "- ACME: Acme Robotics Announces Reverse Stock Split | GlobeNewswire · Mon 2 Mar 2026 <https://wire.example/acme-1>",
        "(List all: list when:all)",
        "(Press releases: articles)",
        "_Seen Mon 2 Mar 2026, 08:59 EST to Mon 2 Mar 2026, 09:00 EST_",
      ].join("\n"),
    );
  });

  it("shows the terms by ex date if there are too many rows", () => {
    const text = listOf([...many(60), changed("BRVO")]);
    expect(text).toContain("61 alerts: 60 splits announced and 1 split changed\n");
    expect(text).toContain("- Announced · ex date Tue 10 Mar 2026 | Q000 1-for-20, Q020 1-for-20, Q040 1-for-20\n");
    expect(text).toContain("- Changed | BRVO ex date Tue 10 Mar 2026 → Tue 17 Mar 2026\n");
    expect(text).not.toContain("not shown");
  });

  it("shows the tickers if there are too many terms, and counts the omitted alerts", () => {
    const all = listOf(many(500));
    expect(all).toContain("500 splits announced\n");
    expect(all).not.toContain("not shown");
    expect(all).toContain("- Announced | Q000, Q001, Q002, ");
    expect(new Set(all.match(/\bQ\d{3}\b/g)).size).toBe(500);

    const text = listOf(many(1_000));
    const shownCount = new Set(text.match(/\bQ\d{3}\b/g)).size;
    expect(shownCount).toBeGreaterThan(500);
    expect(text).toContain(`${1_000 - shownCount} more alerts not shown. See the list: /splits list when:all\n`);
  });

  it("is marked LATE if an alert is late, with the age of the oldest alert and its hold", () => {
    const old = announced("ACME", "2026-03-10", { at: NOW - 3 * DAY_MS });
    const lateLine = "of these alerts are late: the first event was seen on Fri 27 Feb 2026, 09:00 EST, 3 days ago.";
    const text = listOf([old, announced("BRVO")]);
    expect(text).toContain(`[LATE] 2 splits announced\n1 ${lateLine}`);
    expect(text).toContain("- [LATE] ACME 1-for-20");
    const hold = { until: NOW, reasons: ["muted"] } as const;
    expect(listOf([old], { hold })).toContain("These alerts were held (muted): the first event was seen on");
  });

  it("is marked SAMPLE if it contains sample data", () => {
    const text = listOf([announced("ACME", "2026-03-10", { sample: true })]);
    expect(text).toContain("[SAMPLE] 1 split announced");
    expect(text).toContain("Sample data, not real companies.");
  });

  it("does not depend on the order of the alerts, except for press releases", () => {
    expect(listOf(many(300).toReversed())).toBe(listOf(many(300)));
  });
});
