import type { DeliveryOutcome } from "../../domain/alert/delivery.ts";
import type { TestEvent } from "../../domain/alert/event.ts";
import type { Hold } from "../../domain/alert/hold.ts";
import { holdText } from "../event-text.ts";
import { formatTime } from "../format.ts";
import { button, type Card, card } from "../message.ts";

/** The card that `/splits test` sends the way of every alert. */
export function testCard(event: TestEvent): Card {
  return card({
    tone: "good",
    badges: ["TEST"],
    title: "Test: splitwatch can post here",
    lines: ["This card came the way that alerts come. It tells of no split."],
    facts: [{ label: "Asked for by", value: event.askedBy }],
    buttons: [button("What this place hears", "subscriptions")],
  });
}

/** What became of a test card, and what holds the alerts there; null: nothing does. */
export function testOutcomeCard(outcome: DeliveryOutcome, hold: Hold | null, timezone: string): Card {
  const told = outcomeCard(outcome, timezone);
  if (hold === null) return told;
  return { ...told, lines: [...told.lines, `Alerts are held here now, tests are not: ${holdText(hold, timezone)}.`] };
}

function outcomeCard(outcome: DeliveryOutcome, timezone: string): Card {
  const again = button("Test again", "test");
  switch (outcome.kind) {
    case "sent":
      return card({
        tone: "good",
        title: "The test card was delivered here",
        link: outcome.ref.link,
        facts: [
          {
            label: "Delivered",
            value: formatTime(outcome.at, timezone),
            ...(outcome.ref.link ? { link: outcome.ref.link } : {}),
          },
        ],
        lines:
          outcome.blindResends > 0
            ? ["It was sent again without being able to look, so it may stand there twice."]
            : [],
      });
    case "waiting":
      return card({
        tone: "warning",
        title: outcome.problem === null ? "The test card is on its way" : "The test card could not be delivered yet",
        lines: [
          ...(outcome.problem === null ? [] : [`The reason: ${outcome.problem}`]),
          "It is kept and goes out as soon as it can. /splits status shows what waits.",
        ],
        buttons: [button("Status", "status")],
      });
    case "failed":
      return card({
        tone: "bad",
        title: "The test card could not be delivered here",
        lines: [`The reason: ${outcome.reason}`, "Put that right, then test again: alerts would fail in the same way."],
        buttons: [again],
      });
  }
}
