import type { DeliveryOutcome } from "../../domain/alert/delivery.ts";
import type { TestEvent } from "../../domain/alert/event.ts";
import type { Hold } from "../../domain/alert/hold.ts";
import { holdText } from "../event-text.ts";
import { formatTime } from "../format.ts";
import { button, type Card, card } from "../message.ts";

/** Card that `/splits test` sends through the delivery path of alerts. */
export function testCard(event: TestEvent): Card {
  return card({
    tone: "good",
    badges: ["TEST"],
    title: "Test: splitwatch can post here",
    lines: ["This card was sent the same way as an alert. It isn't about a split."],
    facts: [{ label: "Requested by", value: event.askedBy, isPersonId: true }],
    buttons: [button("Rules here", "subscriptions")],
  });
}

/** Marks the card of an alert as a test. `example`: the alert's card. */
export function testAlertCard({ askedBy }: TestEvent, example: Card): Card {
  return {
    ...example,
    badges: ["TEST", ...example.badges],
    lines: ["This is a test. The company and the split are invented.", ...example.lines],
    facts: [...example.facts, { label: "Requested by", value: askedBy, isPersonId: true }],
  };
}

/** Outcome of a test card. `hold`: the current hold on alerts; null if there is none. `line`: the command that sends it again. */
export function testOutcomeCard(
  outcome: DeliveryOutcome,
  { hold, timezone, line }: { readonly hold: Hold | null; readonly timezone: string; readonly line: string },
): Card {
  const outcomeCard = deliveryOutcomeCard(outcome, timezone, line);
  if (hold === null) return outcomeCard;
  return {
    ...outcomeCard,
    lines: [...outcomeCard.lines, `Alerts are held here ${holdText(hold, timezone)}, but tests aren't.`],
  };
}

function deliveryOutcomeCard(outcome: DeliveryOutcome, timezone: string, line: string): Card {
  const retryButton = button("Test again", line);
  switch (outcome.kind) {
    case "sent":
      return card({
        tone: "good",
        title: "The test card was delivered",
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
            ? ["It was resent although it may have been posted before, so it may appear twice."]
            : [],
      });
    case "waiting":
      return card({
        tone: "warning",
        title: outcome.problem === null ? "The test card is on its way" : "The test card couldn't be delivered yet",
        lines: [
          ...(outcome.problem === null ? [] : [`Reason: ${outcome.problem}`]),
          "It will be sent as soon as possible. See waiting deliveries: /splits status",
        ],
        buttons: [button("Status", "status")],
      });
    case "failed":
      return card({
        tone: "bad",
        title: "The test card couldn't be delivered here",
        lines: [`Reason: ${outcome.reason}`, "Alerts would fail for the same reason. Fix it, then test again."],
        buttons: [retryButton],
      });
  }
}
