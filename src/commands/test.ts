import { type Delivery, deliveryId } from "../domain/alert/delivery.ts";
import { destinationKey } from "../domain/alert/destination.ts";
import type { EventId, TestEvent } from "../domain/alert/event.ts";
import { testOutcomeCard } from "../messages/answers/test-answer.ts";
import { type Call, defineCommand } from "./command.ts";
import { readDestinationState } from "./destination-state.ts";

/** The platforms require an answer within three seconds. */
const MAX_WAIT_MS = 2_500;

export const testDelivery = defineCommand({
  name: "test",
  summary: "Send a test card here, the same way as every alert",
  example: "test",
  options: {},
  stores: true,
  async run(_options, call, context) {
    const { store, clock, readersTimezone } = context;
    const event = createTestEvent(call, clock.now());
    const delivery = createTestDelivery(event, call);
    await store.snapshot.commit({ patch: null, events: [event], deliveries: [delivery] });
    // Deliveries to the destination may be scheduled for the end of a hold. Holds don't apply to test deliveries.
    await store.outbox.recheck(call.destination);
    const outcome = await context.waitForOutcome(delivery.id, delivery.to, MAX_WAIT_MS);
    return [testOutcomeCard(outcome, (await readDestinationState(call.destination, context)).hold, readersTimezone)];
  },
});

function createTestEvent({ person, destination }: Call, at: number): TestEvent {
  const id = `test.${destinationKey(destination)}.${at}` as EventId;
  return { kind: "test", id, at, sample: false, askedBy: person.id };
}

function createTestDelivery(event: TestEvent, { destination }: Call): Delivery {
  return {
    id: deliveryId(event.id, destinationKey(destination)),
    eventId: event.id,
    to: destination,
    reasons: ["test"],
    mentions: [],
  };
}
