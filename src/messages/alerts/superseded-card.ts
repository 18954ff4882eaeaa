import { type ChangeableTerm, endsDate, type SplitEvent } from "../../domain/alert/event.ts";
import { changedTerms, shownSymbol } from "../../domain/split/split.ts";
import { EVENT_KIND_TEXT, eventSummary } from "../event-text.ts";
import { capitalize } from "../format.ts";
import type { Card, Fact } from "../message.ts";
import { changedFacts, withoutDates } from "../split-text.ts";

/** A later alert about the split of a card, and the link to its message. */
export interface LaterAlert {
  readonly event: SplitEvent;
  readonly link: string | null;
  /** True if its message was sent before the card, which was refused first. */
  readonly isAbove: boolean;
}

/** The card of an event after a later alert: what doesn't apply any more is shown as the previous value. */
export function supersededCard(card: Card, event: SplitEvent, later: LaterAlert): Card {
  const terms = outdatedTerms(event, later.event);
  const isEnded = endsDate(later.event);
  if (terms.length === 0 && !isEnded && !endsDate(event)) return card;
  const state = EVENT_KIND_TEXT[later.event.kind].inRule;
  const value = `${state}, see ${later.isAbove ? "above" : "below"}`;
  const hasDate = !isEnded && !terms.includes("exDate");
  const facts = outdatedFacts(card.facts, terms, { event, later: later.event, value });
  return {
    ...card,
    tone: "plain",
    title: `${shownSymbol(event.record)} reverse split: ${value}`,
    lines: [],
    facts: [...(hasDate ? facts : withoutDates(facts, event.record, value)), nowFact(later)],
    quotes: terms.includes("fraction") ? [] : card.quotes,
    warnings: [],
  };
}

function outdatedTerms(event: SplitEvent, later: SplitEvent): readonly ChangeableTerm[] {
  const isFractionChanged = later.kind === "changed" && later.terms.includes("fraction");
  return [...changedTerms(event.record, later.record), ...(isFractionChanged ? (["fraction"] as const) : [])];
}

interface Outdated {
  readonly event: SplitEvent;
  readonly later: SplitEvent;
  readonly value: string;
}

function outdatedFacts(
  facts: readonly Fact[],
  terms: readonly ChangeableTerm[],
  { event, later, value }: Outdated,
): readonly Fact[] {
  const stated = later.kind === "changed" && later.stated ? { stated: later.stated } : {};
  const changes = changedFacts([], terms, { was: event.record, record: later.record, ...stated });
  const byLabel = new Map(changes.map((fact) => [fact.label, fact]));
  return facts.map((fact) => {
    const change = byLabel.get(fact.label);
    return change === undefined ? fact : { ...change, value };
  });
}

function nowFact({ event, link }: LaterAlert): Fact {
  return { label: "Now", value: capitalize(eventSummary(event)), ...(link !== null && { link }) };
}
