import type { Destination } from "../domain/alert/destination.ts";
import { canHold, type Hold, type HoldFor, type HoldMoment, holdForNewEvent, holdsAt } from "../domain/alert/hold.ts";
import type { DestinationSettings } from "../domain/settings/destination-settings.ts";
import type { Instant } from "../domain/time/day.ts";
import type { Call } from "./command.ts";
import type { CommandContext } from "./context.ts";
import type { OptionSpec } from "./parser/option-kinds.ts";

/** Whose settings are meant. */
export const SCOPE = {
  kind: "choice",
  choices: ["me", "channel"],
  aliases: { my: "me", mine: "me", myself: "me", i: "me", here: "channel", thischannel: "channel" },
  summary: "For you, which is usual, or for this channel",
} as const satisfies OptionSpec;

/** Null: the channel is meant, and there is none. */
export function destinationIn(scope: string | undefined, { person, destination }: Call): Destination | null {
  if (scope !== "channel") return person;
  return destination.kind === "channel" ? destination : null;
}

/** The zone in which who reads the answer expects times of day. */
export async function readersTimezone(
  { person, destination, isPublic }: Call,
  context: CommandContext,
): Promise<string> {
  const { destinationSettings } = context.store;
  const own = isPublic === true ? null : (await destinationSettings.of(person)).timezone;
  return own ?? (await destinationSettings.of(destination)).timezone ?? context.timezone;
}

/** A place's settings, and what comes of them now. */
export interface DestinationState {
  readonly settings: DestinationSettings;
  /** The zone that holds there. */
  readonly zone: string;
  /** What would hold news that comes now; null: it is told at once. */
  readonly hold: Hold | null;
  /** How many deliveries wait there because they are held. */
  readonly held: number;
  /** When the next digest is due, whether or not the place wants one. */
  readonly nextDigest: Instant | null;
}

export async function readDestinationState(to: Destination, context: CommandContext): Promise<DestinationState> {
  const settings = await context.store.destinationSettings.of(to);
  const moment = holdMoment(context);
  const zone = settings.timezone ?? context.defaultTimezone;
  return {
    settings,
    zone,
    hold: holdForNewEvent(settings, moment),
    held: await countHeldAt(to, settings, context),
    nextDigest: context.nextDigest(zone, moment.now),
  };
}

/** What the place's settings hold now. */
export async function readHold(to: Destination, context: CommandContext): Promise<HoldFor> {
  return holdsAt(await context.store.destinationSettings.of(to), holdMoment(context));
}

/** How many deliveries are held everywhere. */
export async function countHeld(context: CommandContext): Promise<number> {
  let held = 0;
  for (const { to, settings } of await context.store.destinationSettings.all())
    held += await countHeldAt(to, settings, context);
  return held;
}

async function countHeldAt(to: Destination, settings: DestinationSettings, context: CommandContext): Promise<number> {
  if (!canHold(settings)) return 0;
  const holdOn = holdsAt(settings, holdMoment(context));
  return (await context.store.outbox.waitingAt(to)).filter(({ event }) => holdOn(event) !== null).length;
}

function holdMoment(context: CommandContext): HoldMoment {
  return {
    now: context.clock.now(),
    timezone: context.defaultTimezone,
    nextDigest: (zone, after) => context.nextDigest(zone, after),
  };
}
