import type { DeliveryProblem } from "../domain/alert/delivery.ts";
import type { Destination } from "../domain/alert/destination.ts";
import type { Instant } from "../domain/time/day.ts";
import { formatTime } from "./format.ts";

/** States that alerts to the destination are not delivered now, why, and when they are tried again. */
export function deliveryProblemText(
  { reason, since, retry }: DeliveryProblem,
  { kind }: Destination,
  timezone: string,
): string {
  const subject = kind === "channel" ? "Alerts here" : "Direct messages to you";
  const here = kind === "channel" ? "" : " in a direct message to splitwatch";
  switch (retry) {
    case "now":
      return `${subject} have failed since ${formatTime(since, timezone)}, and are being sent again now. Reason: ${reason}.`;
    case "next alert":
      return `${subject} last failed at ${formatTime(since, timezone)}; splitwatch tries again with the next alert. Reason: ${reason}. To check now${here}: /splits test`;
    case "restart":
      return `${subject} fail, and are kept until the operator has corrected the setting and restarted splitwatch. Reason: ${reason}.`;
    default:
      return `${subject} fail at the moment, and are kept until they can be delivered. Reason: ${reason}. ${retryText(retry, timezone)}`;
  }
}

function retryText(at: Instant, timezone: string): string {
  return `The next try is at ${formatTime(at, timezone)}, or with your next command.`;
}
