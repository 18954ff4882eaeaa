import type { RateLimit } from "../ports/chat-platform.ts";
import type { Clock, MonotonicTime } from "../ports/clock.ts";
import type { RateSlots, Reservation } from "../ports/rate-slots.ts";
import type { Claim } from "../ports/store.ts";

/** Claims that would wait longer than this for a rate-limit slot are released, and claimed again ahead of the slot. */
const MAX_SLOT_WAIT_MS = 3_000;
const SLOT_LEAD_MS = 1_500;
/** Messages that wait for slots are sent together at multiples of this time, which share their writes to the store. */
const SLOT_STEP_MS = 100;
/** Slots that are missed by more than this are void: used together, they would exceed the limit. */
const MAX_SLOT_DELAY_MS = 1_000;

/** When a destination can be claimed again after its release, and the slot that it has then. */
export interface NextClaim {
  readonly delayMs: number;
  readonly slotAt: MonotonicTime | null;
  /** True if every delivery that waits is deferred or held. */
  readonly isDeferred?: boolean;
}

interface SlotParts {
  readonly store: { readonly rateSlots: RateSlots };
  readonly clock: Clock;
}

/** Waits for a slot, unless it is far away. The message may be sent if the returned delay is 0. */
export async function waitForSlot(
  parts: SlotParts,
  limits: readonly RateLimit[],
  claim: Claim,
  stopping: AbortSignal,
): Promise<NextClaim> {
  const { store, clock } = parts;
  const { waitMs, isTaken } = await takeSlot(parts, limits, claim);
  const slotAt = isTaken ? clock.monotonic() + waitMs : null;
  if (waitMs > MAX_SLOT_WAIT_MS) return { delayMs: isTaken ? waitMs - SLOT_LEAD_MS : waitMs, slotAt };
  if (waitMs > 0) await clock.sleep(waitMs + msToStep(clock.monotonic() + waitMs), stopping);
  // The platform may have blocked the slot in the meantime.
  return { delayMs: await store.rateSlots.blockedFor(limits), slotAt };
}

/** Returns the slot that the destination has, unless it is void, else the next one. */
async function takeSlot(
  { store, clock }: SlotParts,
  limits: readonly RateLimit[],
  { slotAt }: Claim,
): Promise<Reservation> {
  const now = clock.monotonic();
  if (slotAt !== null && now - slotAt <= MAX_SLOT_DELAY_MS) return { waitMs: Math.max(0, slotAt - now), isTaken: true };
  let slot = await store.rateSlots.reserve(limits, MAX_SLOT_WAIT_MS);
  while (slot.isTaken && slot.waitMs < -MAX_SLOT_DELAY_MS)
    slot = await store.rateSlots.reserve(limits, MAX_SLOT_WAIT_MS);
  return slot;
}

/** Milliseconds until the next step. */
function msToStep(time: MonotonicTime): number {
  return Math.ceil(time / SLOT_STEP_MS) * SLOT_STEP_MS - time;
}
