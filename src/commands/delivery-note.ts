import type { Destination } from "../domain/alert/destination.ts";
import { deliveryProblemText } from "../messages/delivery-text.ts";
import type { Card } from "../messages/message.ts";
import type { AnswerContext } from "./context.ts";

/** Longest wait for messages that are being tried. The platforms require an answer within three seconds. */
export const MAX_TRY_WAIT_MS = 2_000;

/** Adds a warning if alerts don't reach the destination now. */
export async function withDeliveryNote(card: Card, destination: Destination, context: AnswerContext): Promise<Card> {
  const problem = await context.deliveryProblem(destination, MAX_TRY_WAIT_MS);
  if (problem === null) return card;
  return {
    ...card,
    tone: "warning",
    lines: [...card.lines, deliveryProblemText(problem, destination, context.readersTimezone)],
  };
}
