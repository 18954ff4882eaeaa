import type { Card, Message } from "../../src/chat/web/page/protocol.ts";
import { formatDay } from "../../src/messages/format.ts";
import type { Terms } from "./changing-upstream.ts";

/** The content of one alert, read from its card. */
export type SeenAlert =
  | { readonly kind: "announced"; readonly ticker: string; readonly now: TermWords }
  | {
      readonly kind: "changed";
      readonly ticker: string;
      readonly was: Partial<TermWords>;
      readonly now: Partial<TermWords>;
    }
  | { readonly kind: "missing"; readonly ticker: string }
  | { readonly kind: "release"; readonly url: string; readonly withdrawn: boolean }
  | { readonly kind: "test" }
  | { readonly kind: "unexpected"; readonly title: string };

/** `1-for-20` and `Tue 10 Mar 2026`. */
export interface TermWords {
  readonly ratio: string;
  readonly exDate: string;
}

export function termWords({ ratio, exDate }: Terms): TermWords {
  return { ratio: ratio.replace(":", "-for-"), exDate: formatDay(exDate) };
}

/** The alerts in these messages, in order. */
export function readAlerts(messages: readonly Message[]): readonly SeenAlert[] {
  return messages.flatMap(({ body }) => body.cards.map(alertOf));
}

function alertOf(card: Card): SeenAlert {
  const { title, link, badges } = card;
  const ticker = title.split(" ")[0] ?? "";
  if (badges.includes("TEST")) return { kind: "test" };
  if (link !== null) return { kind: "release", url: link, withdrawn: title.includes(", according to a release") };
  if (title.includes("is no longer listed")) return { kind: "missing", ticker };
  if (/ changed: .+ → /.test(title))
    return { kind: "changed", ticker, was: readTerms(card, "was"), now: newTerms(card) };
  const now = readTerms(card, "value");
  if (card.tone === "new" && now.ratio !== undefined && now.exDate !== undefined)
    return { kind: "announced", ticker, now: { ratio: now.ratio, exDate: now.exDate } };
  return { kind: "unexpected", title };
}

/** The new values of the changed terms. */
function newTerms(card: Card): Partial<TermWords> {
  return readTerms({ ...card, facts: card.facts.filter(({ was }) => was !== undefined) }, "value");
}

function readTerms({ facts }: Card, side: "was" | "value"): Partial<TermWords> {
  const words = (label: string): string | undefined => facts.find((fact) => fact.label === label)?.[side];
  const ratio = words("Ratio")?.split(" ")[0];
  const exDate = words("Ex date")?.split(",")[0];
  return { ...(ratio === undefined ? {} : { ratio }), ...(exDate === undefined ? {} : { exDate }) };
}
