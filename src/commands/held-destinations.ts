import type { Destination } from "../domain/alert/destination.ts";
import { type Hold, type HoldMoment, type HoldOn, holdOnNews, holdsAt, mayHold } from "../domain/alert/hold.ts";
import type { PlaceSettings } from "../domain/settings/destination-settings.ts";
import type { Instant } from "../domain/time/day.ts";
import type { Call, OptionSpec } from "./command.ts";
import type { CommandContext } from "./context.ts";

/** Whose settings are meant. */
export const SCOPE = {
  kind: "choice",
  choices: ["me", "channel"],
  aliases: { my: "me", mine: "me", myself: "me", i: "me", here: "channel", thischannel: "channel" },
  summary: "For you, which is usual, or for this channel",
} as const satisfies OptionSpec;

/** Null: the channel is meant, and there is none. */
export function placeIn(scope: string | undefined, { person, place }: Call): Destination | null {
  if (scope !== "channel") return person;
  return place.kind === "channel" ? place : null;
}

/** The zone in which who reads the answer expects times of day. */
export async function zoneOfReaders({ person, place, forAll }: Call, context: CommandContext): Promise<string> {
  const { placeSettings } = context.store;
  const own = forAll === true ? null : (await placeSettings.of(person)).timezone;
  return own ?? (await placeSettings.of(place)).timezone ?? context.timezone;
}

/** A place's settings, and what comes of them now. */
export interface PlaceState {
  readonly settings: PlaceSettings;
  /** The zone that holds there. */
  readonly zone: string;
  /** What would hold news that comes now; null: it is told at once. */
  readonly hold: Hold | null;
  /** How many deliveries wait there because they are held. */
  readonly held: number;
  /** When the next digest is due, whether or not the place wants one. */
  readonly nextDigest: Instant | null;
}

export async function stateOf(to: Destination, context: CommandContext): Promise<PlaceState> {
  const settings = await context.store.placeSettings.of(to);
  const moment = holdMomentOf(context);
  const zone = settings.timezone ?? context.usualTimezone;
  return {
    settings,
    zone,
    hold: holdOnNews(settings, moment),
    held: await heldAt(to, settings, context),
    nextDigest: context.nextDigest(zone, moment.now),
  };
}

/** What the place's settings hold now. */
export async function holdOnAt(to: Destination, context: CommandContext): Promise<HoldOn> {
  return holdsAt(await context.store.placeSettings.of(to), holdMomentOf(context));
}

/** How many deliveries are held everywhere. */
export async function heldInAll(context: CommandContext): Promise<number> {
  let held = 0;
  for (const { to, settings } of await context.store.placeSettings.all()) held += await heldAt(to, settings, context);
  return held;
}

async function heldAt(to: Destination, settings: PlaceSettings, context: CommandContext): Promise<number> {
  if (!mayHold(settings)) return 0;
  const holdOn = holdsAt(settings, holdMomentOf(context));
  return (await context.store.outbox.waitingAt(to)).filter(({ event }) => holdOn(event) !== null).length;
}

function holdMomentOf(context: CommandContext): HoldMoment {
  return {
    now: context.clock.now(),
    timezone: context.usualTimezone,
    nextDigest: (zone, after) => context.nextDigest(zone, after),
  };
}
