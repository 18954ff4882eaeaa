import { type CheckResult, fail, pass, warn } from "../../lib/check-result.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SourceCheckContext } from "../source-definition.ts";
import { describeCondition, initialStatus, nextStatus, type SourceStatus } from "../source-status.ts";
import type { Newswire } from "./newswire.ts";
import type { NewswireSettings } from "./settings.ts";
import { connectNewswires } from "./wires.ts";

/** Newsfile requires ten seconds between requests, including the one for its robots rules. */
const READ_TIMEOUT_MS = 25_000;

/** Reads each wire once. A wire that fails is a failed check only if `service.source` permits no other data. */
export async function checkNewswires(
  settings: NewswireSettings,
  context: SourceCheckContext,
): Promise<readonly CheckResult[]> {
  const connected = connectNewswires(settings, context);
  try {
    const states = await Promise.all(connected.wires.map((wire) => readOnce(wire, context.clock)));
    return [summarize(states, context), ...states.map((state) => checkWire(state, replacementOf(states, context)))];
  } finally {
    await connected.close();
  }
}

async function readOnce(wire: Newswire, clock: Clock): Promise<SourceStatus> {
  const reading = await wire.readFeeds(AbortSignal.timeout(READ_TIMEOUT_MS)).catch(() => null);
  const before = initialStatus(wire.name, clock.now());
  if (reading !== null) return nextStatus(before, reading, clock.now());
  return { ...before, condition: "unreachable", problem: `no answer within ${READ_TIMEOUT_MS / 1_000} s` };
}

function summarize(states: readonly SourceStatus[], { fallback }: SourceCheckContext): CheckResult {
  if (states.length === 0)
    return fail("data service: no feed of a news wire is configured; add one under newswires or set service.source");
  const read = states.filter(({ condition }) => condition === "ok").length;
  if (read > 0) return pass(`data service: embedded, ${read} of ${states.length} news wires OK`);
  const none = "data service: embedded, but no news wire can be read";
  if (fallback === null) return fail(`${none}; check the connection to the internet`);
  const served = fallback === "sample" ? "sample data (invented companies)" : fallback;
  return warn(`${none}; it serves ${served} until one can`);
}

/** Data that replaces an unreadable wire; null if none may. */
function replacementOf(states: readonly SourceStatus[], { fallback }: SourceCheckContext): string | null {
  if (fallback === null) return null;
  if (states.some(({ condition }) => condition === "ok")) return "the other wires are used";
  return fallback === "sample" ? "sample data is shown" : "nothing is shown";
}

function checkWire(state: SourceStatus, replacement: string | null): CheckResult {
  const text = `wire ${state.name}: ${describeCondition(state)}`;
  if (state.condition === "ok") return pass(text);
  if (replacement !== null) return warn(`${text}: ${replacement}`);
  return fail(`${text}; set newswires.${state.name}.feeds to [] to disable it`);
}
