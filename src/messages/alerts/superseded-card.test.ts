import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, day } from "../../../test/support/builders.ts";
import { type Announced, type EventId, NO_EVIDENCE, type SplitEvent } from "../../domain/alert/event.ts";
import type { SplitId } from "../../domain/split/split.ts";
import { type AlertContext, eventCard } from "./event-card.ts";
import { supersededCard } from "./superseded-card.ts";

const NOW = Date.parse("2026-03-02T14:00:00Z");
const AT: AlertContext = {
  now: NOW,
  today: day("2026-03-02"),
  timezone: "America/New_York",
  expireAfterMs: 86_400_000,
};
const LINK = "https://chat.example/2";

const BASE = { id: "1.1" as EventId, at: NOW, sample: false, splitId: "1" as SplitId, ...NO_EVIDENCE } as const;
const ANNOUNCED: Announced = { ...BASE, kind: "announced", record: aRecord(), alreadyEffective: false };
const MISSING: SplitEvent = {
  ...BASE,
  kind: "missing",
  record: aRecord(),
  pollsMissed: 3,
  flapping: false,
  withdrawnBy: null,
};
const CANCELLED: SplitEvent = {
  ...BASE,
  kind: "cancelled",
  record: aRecord(),
  article: aKnownArticle({ kind: "cancelled" }),
  explainsMissing: false,
};

function changed(was: Parameters<typeof aRecord>[0], now: Parameters<typeof aRecord>[0]): SplitEvent {
  const terms = (["ratio", "exDate"] as const).filter((term) => Object.keys({ ...was, ...now }).includes(term));
  return { ...BASE, kind: "changed", was: aRecord(was), record: aRecord(now), terms, flapping: false };
}

const cardAfter = (event: SplitEvent, later: SplitEvent, { isAbove = false } = {}) =>
  supersededCard(eventCard(event, AT), event, { event: later, link: LINK, isAbove });

const factsOf = (...given: Parameters<typeof cardAfter>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    cardAfter(...given).facts.map(({ label, value, was }) => [label, was === undefined ? value : [was, value]]),
  );

const statement = (treatment: "round_up" | "cash_in_lieu") =>
  ({
    treatment,
    level: null,
    sentence: "A sentence.",
    url: LINK,
    source: "businesswire",
    published: day("2026-03-02"),
  }) as const;

describe("a card after a later alert", () => {
  it("shows each changed term as the previous value, and links the later alert", () => {
    const later = changed({ ratio: "1:20", exDate: "2026-03-10" }, { ratio: "1:25", exDate: "2026-03-12" });
    const { title, lines, facts, tone } = cardAfter(ANNOUNCED, later);
    expect({ title, lines, tone }).toEqual({
      title: "ACME reverse split: changed, see below",
      lines: [],
      tone: "plain",
    });
    expect(factsOf(ANNOUNCED, later)).toMatchObject({
      Exchange: "Nasdaq",
      Ratio: ["1-for-20", "changed, see below"],
      "Ex date": ["Tue 10 Mar 2026", "changed, see below"],
    });
    expect(facts.map(({ label }) => label)).not.toContain("Last trading day before");
    expect(facts.at(-1)).toEqual({
      label: "Now",
      value: "Changed: ratio 1-for-20 → 1-for-25; ex date Tue 10 Mar 2026 → Thu 12 Mar 2026",
      link: LINK,
    });
  });

  it("keeps the ex date if only another term changed", () => {
    const facts = factsOf(ANNOUNCED, changed({ ratio: "1:20" }, { ratio: "1:25" }));
    expect(facts).toMatchObject({ "Ex date": "Tue 10 Mar 2026, in 6 trading days" });
    expect(facts).toHaveProperty("Last trading day before");
  });

  it.each([
    ["cancelled", CANCELLED, "cancelled, see below"],
    ["missing", MISSING, "no longer listed, see below"],
  ])("shows the ex date as the previous value if the split is %s", (_case, later, value) => {
    expect(factsOf(ANNOUNCED, later)).toMatchObject({ "Ex date": ["Tue 10 Mar 2026", value] });
    expect(cardAfter(ANNOUNCED, later).title).toBe(`ACME reverse split: ${value}`);
  });

  it("is unchanged if its terms apply again, unless it says that the split is gone", () => {
    const returned: SplitEvent = { ...BASE, kind: "returned", record: aRecord(), was: aRecord(), flapping: false };
    expect(cardAfter(ANNOUNCED, returned)).toEqual(eventCard(ANNOUNCED, AT));
    expect(cardAfter(MISSING, returned).title).toBe("ACME reverse split: listed again, see below");
    expect(cardAfter(MISSING, returned, { isAbove: true }).title).toBe("ACME reverse split: listed again, see above");
  });

  it("shows a treatment of fractions that changed as the previous value, without its quote", () => {
    const [was, now] = [statement("cash_in_lieu"), statement("round_up")];
    const event = { ...ANNOUNCED, fraction: was };
    const later: SplitEvent = {
      ...BASE,
      kind: "changed",
      was: aRecord(),
      record: aRecord(),
      terms: ["fraction"],
      stated: { was: { fraction: was, newCusip: null }, now: { fraction: now, newCusip: null } },
      flapping: false,
    };
    expect(factsOf(event, later)).toMatchObject({
      "Fractional shares": ["paid out in cash (cash in lieu)", "changed, see below"],
    });
    expect(cardAfter(event, later).quotes).toEqual([]);
  });
});
