import { isUnsent } from "../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import { canHold, type Hold, type HoldFor, type HoldMoment, holdForNewEvent, holdsAt } from "../domain/alert/hold.ts";
import type { DestinationSettings } from "../domain/settings/destination-settings.ts";
import type { Instant } from "../domain/time/day.ts";
import { TimeSlice, yieldToEventLoop } from "../lib/slices.ts";
import type { OutboxSummary } from "../ports/store.ts";
import type { Call } from "./command.ts";
import type { CommandContext } from "./context.ts";
import type { OptionSpec } from "./parser/option-kinds.ts";

/** Option that selects the person's or the channel's settings. */
export const SCOPE = {
  kind: "choice",
  choices: ["me", "channel"],
  aliases: { my: "me", mine: "me", myself: "me", i: "me", here: "channel", thischannel: "channel" },
  summary: "For you (default) or for this channel",
} as const satisfies OptionSpec;

/** Destination that `scope` selects; null if it selects the channel but the command was sent in a direct message. */
export function destinationOfScope(scope: string | undefined, { person, destination }: Call): Destination | null {
  if (scope !== "channel") return person;
  return destination.kind === "channel" ? destination : null;
}

/** Time zone of the answer's readers: the person's (private answers only), else the destination's, else the configured one. */
export async function readersTimezone(
  { person, destination, isPublic }: Call,
  context: CommandContext,
): Promise<string> {
  const { destinationSettings } = context.store;
  const own = isPublic === true ? null : (await destinationSettings.of(person)).timezone;
  return own ?? (await destinationSettings.of(destination)).timezone ?? context.timezone;
}

/** Settings of a destination, and their current effect. */
export interface DestinationState {
  readonly settings: DestinationSettings;
  /** Time zone of the destination, or the configured one. */
  readonly zone: string;
  /** The hold (mute, quiet hours or digest) that an alert created now would get; null if it would be delivered immediately. */
  readonly hold: Hold | null;
  /** Number of held deliveries. */
  readonly heldCount: number;
  /** Next digest time, even if digests are off; null if there is none within a year. */
  readonly nextDigest: Instant | null;
}

export async function readDestinationState(
  destination: Destination,
  context: CommandContext,
): Promise<DestinationState> {
  const settings = await context.store.destinationSettings.of(destination);
  const moment = holdMoment(context);
  const zone = settings.timezone ?? context.timezone;
  return {
    settings,
    zone,
    hold: holdForNewEvent(settings, moment),
    heldCount: await countHeldAtEach([{ to: destination, settings }], context),
    nextDigest: context.nextDigest(zone, moment.now),
  };
}

/** Returns a function that gives the current hold of an event under the destination's settings. */
export async function readHold(destination: Destination, context: CommandContext): Promise<HoldFor> {
  return holdsAt(await context.store.destinationSettings.of(destination), holdMoment(context));
}

/** Number of held deliveries at all destinations. Reads the settings of all of them, but only while deliveries wait. */
export async function countHeld({ waiting }: Pick<OutboxSummary, "waiting">, context: CommandContext): Promise<number> {
  let held = 0;
  if (waiting === 0) return held;
  for await (const page of context.store.destinationSettings.all()) {
    held += await countHeldAtEach(page, context);
    await yieldToEventLoop();
  }
  return held;
}

interface SettingsOf {
  readonly to: Destination;
  readonly settings: DestinationSettings;
}

async function countHeldAtEach(all: readonly SettingsOf[], context: CommandContext): Promise<number> {
  const holding = all.filter(({ settings }) => canHold(settings));
  if (holding.length === 0) return 0;
  const moment = holdMoment(context);
  const holds = new Map(holding.map(({ to, settings }) => [destinationKey(to), holdsAt(settings, moment)]));
  const waiting = await context.store.outbox.waiting(holding.map(({ to }) => to));
  const slice = new TimeSlice();
  let held = 0;
  for (const one of waiting) {
    const hold = isUnsent(one) ? holds.get(destinationKey(one.delivery.to))?.(one.event) : null;
    if (hold) held += 1;
    await slice.next();
  }
  return held;
}

function holdMoment(context: CommandContext): HoldMoment {
  return {
    now: context.clock.now(),
    timezone: context.timezone,
    nextDigest: (zone, after) => context.nextDigest(zone, after),
  };
}
