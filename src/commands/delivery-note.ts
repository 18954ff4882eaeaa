import type { Destination } from "../domain/alert/destination.ts";
import { deliveryProblemText } from "../messages/delivery-text.ts";
import type { Card } from "../messages/message.ts";
import type { AnswerContext } from "./context.ts";

/** Maximum wait for sends in progress. The platforms require an answer within three seconds. */
export const MAX_SEND_WAIT_MS = 2_000;

/** Adds a warning if alerts don't reach the destination now. */
export async function withDeliveryNote(card: Card, destination: Destination, context: AnswerContext): Promise<Card> {
  const problem = await context.deliveries.problemAt(destination, MAX_SEND_WAIT_MS);
  if (problem === null) return card;
  return {
    ...card,
    tone: "warning",
    lines: [...card.lines, deliveryProblemText(problem, destination, context.readersTimezone)],
  };
}
