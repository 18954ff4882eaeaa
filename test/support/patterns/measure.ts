import { cpuTimeMs } from "../timing.ts";
import { type Attack, attackText } from "./attacks.ts";

/** Characters of the longest text that the main thread matches. */
const MAX_LENGTH = 4_096;

/** The first ones notice exponential growth before it takes minutes. */
const LENGTHS = [12, 18, 24, 32, 64, 256, 1_024, MAX_LENGTH];

/** CPU time in milliseconds that a search in a text of `MAX_LENGTH` characters may take. Linear ones take a third of it at most. */
const MAX_SEARCH_MS = 5;

const MAX_RUNS = 10;

/** A search that takes too long. */
export interface SlowSearch {
  readonly attack: Attack;
  readonly length: number;
  readonly ms: number;
}

/** The first attack on which searching all matches of the pattern takes too long; null: none. */
export function findSlowSearch(pattern: RegExp, attacks: readonly Attack[]): SlowSearch | null {
  for (const attack of attacks) {
    for (const length of LENGTHS) {
      const ms = searchMs(pattern, attackText(attack, length));
      if (ms > MAX_SEARCH_MS) return { attack, length, ms };
    }
  }
  return null;
}

/** CPU time of a search, measured again if it takes too long: the lowest counts. */
function searchMs(pattern: RegExp, text: string): number {
  let lowestMs = Number.POSITIVE_INFINITY;
  for (let run = 0; run < MAX_RUNS && lowestMs > MAX_SEARCH_MS; run += 1) {
    const startMs = cpuTimeMs();
    pattern.lastIndex = 0;
    text.replace(pattern, "");
    lowestMs = Math.min(lowestMs, cpuTimeMs() - startMs);
  }
  return lowestMs;
}
