import { type Config, hasExternalChat } from "../../config/index.ts";
import { type CheckResult, fail, pass, warn } from "../../lib/check-result.ts";
import { systemClock } from "../../lib/clock.ts";
import { readVersion } from "../../lib/version.ts";
import { connectNewswires } from "../../sources/newswires/index.ts";
import type { Newswire } from "../../sources/newswires/newswire.ts";
import { userAgentFor } from "../../sources/newswires/web.ts";
import { afterLook, conditionWords, unseenWire, type WireState } from "../../sources/newswires/wire-state.ts";
import { SAMPLE_DESCRIPTION } from "../startup-message.ts";

/** Newsfile is asked for nothing within ten seconds of the last thing, its robots rules included. */
const LOOK_WITHIN_MS = 25_000;

/** Whether the wires can be read, each by one look. Where something else is served in their place none of them is needed. */
export async function checkWires(config: Config): Promise<readonly CheckResult[]> {
  const { newswires: settings, service, publicUrl } = config;
  const userAgent = userAgentFor(readVersion(), publicUrl);
  const newswires = connectNewswires(settings, { clock: systemClock, userAgent });
  try {
    const states = await Promise.all(newswires.wires.map(lookOnce));
    const instead = service.source.kind === "wires" ? null : insteadOf(states, config);
    return [served(states, config), ...states.map((state) => findingOf(state, instead))];
  } finally {
    await newswires.close();
  }
}

async function lookOnce(wire: Newswire): Promise<WireState> {
  const look = await wire.look(AbortSignal.timeout(LOOK_WITHIN_MS)).catch(() => null);
  const before = unseenWire(wire.name, systemClock.now());
  if (look !== null) return afterLook(before, look, systemClock.now());
  return { ...before, condition: "unreachable", problem: `no answer within ${LOOK_WITHIN_MS / 1_000} s` };
}

function served(states: readonly WireState[], config: Config): CheckResult {
  const { source } = config.service;
  if (states.length === 0)
    return fail("data service: no feed of a news wire is configured; see newswires, or set service.source");
  const read = states.filter(({ condition }) => condition === "ok").length;
  if (read > 0) return pass(`data service: embedded, with the news wires: ${read} of ${states.length} can be read`);
  const none = "data service: embedded, but none of the news wires can be read now";
  if (source.kind === "wires") return fail(`${none}; see whether the way to the internet is open`);
  return warn(`${none}: it serves ${hasExternalChat(config) ? "nothing" : SAMPLE_DESCRIPTION} until one can`);
}

/** What people see in the place of a wire that cannot be read, where none of them is needed. */
function insteadOf(states: readonly WireState[], config: Config): string {
  if (states.some(({ condition }) => condition === "ok")) return "the other wires are read";
  return hasExternalChat(config) ? "nothing is shown" : "the sample is shown";
}

/** `instead` is null where the wires are needed. */
function findingOf(state: WireState, instead: string | null): CheckResult {
  const text = `wire ${state.name}: ${conditionWords(state)}`;
  if (state.condition === "ok") return pass(text);
  if (instead !== null) return warn(`${text}: ${instead}`);
  return fail(`${text}; an empty list as newswires.${state.name}.feeds leaves it out`);
}
