import { type Config, hasExternalChat } from "../../config/index.ts";
import { type CheckResult, fail, pass, warn } from "../../lib/check-result.ts";
import { systemClock } from "../../lib/clock.ts";
import { readVersion } from "../../lib/version.ts";
import { connectNewswires } from "../../sources/newswires/index.ts";
import type { Newswire } from "../../sources/newswires/newswire.ts";
import { userAgentFor } from "../../sources/newswires/web.ts";
import { afterLook, conditionWords, unseenWire, type WireState } from "../../sources/newswires/wire-state.ts";
import { SAMPLE_DESCRIPTION } from "../startup-message.ts";

/** Newsfile requires ten seconds between requests, including the one for its robots rules. */
const READ_TIMEOUT_MS = 25_000;

/** Reads each wire once. A wire that fails is a failed check only if service.source permits no other data. */
export async function checkWires(config: Config): Promise<readonly CheckResult[]> {
  const { newswires: settings, service, publicUrl } = config;
  const userAgent = userAgentFor(readVersion(), publicUrl);
  const newswires = connectNewswires(settings, { clock: systemClock, userAgent });
  try {
    const states = await Promise.all(newswires.wires.map(lookOnce));
    const fallback = service.source.kind === "wires" ? null : fallbackOf(states, config);
    return [checkSource(states, config), ...states.map((state) => checkWire(state, fallback))];
  } finally {
    await newswires.close();
  }
}

async function lookOnce(wire: Newswire): Promise<WireState> {
  const look = await wire.look(AbortSignal.timeout(READ_TIMEOUT_MS)).catch(() => null);
  const before = unseenWire(wire.name, systemClock.now());
  if (look !== null) return afterLook(before, look, systemClock.now());
  return { ...before, condition: "unreachable", problem: `no answer within ${READ_TIMEOUT_MS / 1_000} s` };
}

function checkSource(states: readonly WireState[], config: Config): CheckResult {
  const { source } = config.service;
  if (states.length === 0)
    return fail("data service: no feed of a news wire is configured; add one under newswires or set service.source");
  const read = states.filter(({ condition }) => condition === "ok").length;
  if (read > 0) return pass(`data service: embedded, ${read} of ${states.length} news wires OK`);
  const none = "data service: embedded, but no news wire can be read";
  if (source.kind === "wires") return fail(`${none}; check the connection to the internet`);
  return warn(`${none}; it serves ${hasExternalChat(config) ? "nothing" : SAMPLE_DESCRIPTION} until one can`);
}

/** Data that replaces an unreadable wire, if service.source permits a replacement. */
function fallbackOf(states: readonly WireState[], config: Config): string {
  if (states.some(({ condition }) => condition === "ok")) return "the other wires are used";
  return hasExternalChat(config) ? "nothing is shown" : "sample data is shown";
}

/** `fallback` is null if the wires are required. */
function checkWire(state: WireState, fallback: string | null): CheckResult {
  const text = `wire ${state.name}: ${conditionWords(state)}`;
  if (state.condition === "ok") return pass(text);
  if (fallback !== null) return warn(`${text}: ${fallback}`);
  return fail(`${text}; set newswires.${state.name}.feeds to [] to disable it`);
}
