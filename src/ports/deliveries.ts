import type { DeliveryId, DeliveryOutcome, DeliveryProblem } from "../domain/alert/delivery.ts";
import type { Destination } from "../domain/alert/destination.ts";
import type { PlatformProblem } from "../messages/answers/status-answer.ts";

/** The deliveries of this process, as commands see them. */
export interface Deliveries {
  /** Runs `work` while no delivery to the destination is in progress. Deliveries wait until `work` ends. */
  whileNotSending<T>(destination: Destination, work: () => Promise<T>): Promise<T>;
  /** Tries the waiting deliveries of a paused destination immediately. A failure is logged. */
  retryPaused(destination: Destination): Promise<void>;
  /** Why alerts don't reach the destination now, or null. Waits at most `withinMs` while its messages are being tried. */
  problemAt(destination: Destination, withinMs: number): Promise<DeliveryProblem | null>;
  /** The platforms that can't be used now or of which a part doesn't work, each with the reason. */
  platformProblems(): readonly PlatformProblem[];
  /** Starts all deliveries that are due. Returns the outcome of this delivery, or `waiting` if it has no outcome after `withinMs`. */
  outcome(id: DeliveryId, destination: Destination, withinMs: number): Promise<DeliveryOutcome>;
}
