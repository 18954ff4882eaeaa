import { type Delivery, deliveryId } from "../domain/alert/delivery.ts";
import { destinationKey } from "../domain/alert/destination.ts";
import { EVENT_KINDS, type EventId, type EventKind, type TestEvent } from "../domain/alert/event.ts";
import { testOutcomeCard } from "../messages/answers/test-answer.ts";
import { type Call, type Command, defineCommand, noRoomToPost } from "./command.ts";
import { readDestinationState } from "./destination-state.ts";
import { writeLine } from "./parser/options.ts";
import { replayStory } from "./sample-story.ts";

/** The platforms require an answer within three seconds. */
const MAX_WAIT_MS = 2_500;

/** Value of `kind` that starts the story of the sample data again. */
const STORY = "story";

export const testDelivery: Command = defineCommand({
  name: "test",
  summary: "Send a test card here, the same way as every alert",
  example: "test",
  options: {
    kind: {
      kind: "choice",
      choices: [...EVENT_KINDS, STORY],
      aliases: { canceled: "cancelled", articles: "article", reminders: "reminder" },
      summary: "Send the card of this event, about an invented company; story: replay the sample data's alerts",
    },
  },
  managesChannel: true,
  stores: true,
  storesWhen: ({ kind }) => kind !== STORY,
  async run(options, call, context) {
    if (options.kind === STORY) return [await replayStory(context)];
    const refusal = await noRoomToPost("test", call, context);
    if (refusal !== null) return [refusal];
    const { store, clock, readersTimezone: timezone } = context;
    const kind = EVENT_KINDS.find((candidate) => candidate === options.kind);
    const event = createTestEvent(call, clock.now(), kind);
    const delivery = createTestDelivery(event, call);
    await store.snapshot.commit({ patch: null, events: [event], deliveries: [delivery] });
    // Deliveries to the destination may be scheduled for the end of a hold. Holds don't apply to test deliveries.
    await store.claims.recheck(call.destination);
    const outcome = await context.withoutWaiting(() =>
      context.deliveries.outcome(delivery.id, delivery.to, MAX_WAIT_MS),
    );
    const { hold } = await readDestinationState(call.destination, context);
    return [testOutcomeCard(outcome, { hold, timezone, line: writeLine(testDelivery, options) })];
  },
});

function createTestEvent({ person, destination }: Call, at: number, shows: EventKind | undefined): TestEvent {
  const id = `test.${destinationKey(destination)}.${crypto.randomUUID()}` as EventId;
  return { kind: "test", id, at, sample: false, askedBy: person.id, ...(shows && { shows }) };
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
