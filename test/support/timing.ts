import { IS_SOAK } from "./soak.ts";

/** Characters of a quarter of a long hostile text: a quarter of a megabyte in `npm test`, a megabyte in `npm run soak`. */
export const HOSTILE_QUARTER = IS_SOAK ? 250_000 : 62_500;

/** CPU time of this process in milliseconds, which does not depend on other processes. */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** CPU times below this count as this. */
const MIN_MEASURED_MS = 20;
/** Above this, the time is measured again. */
const SUSPICIOUS_FACTOR = 6;
const MAX_RUNS = 3;

/**
 * Ratio of the CPU times of `run` with four times the size and with the size: about 4 if the time is linear, 16 if it is
 * quadratic. It depends neither on the speed of the machine nor on its load. The lowest of up to three measurements counts.
 */
export async function growthFactor(run: (size: number) => unknown, size: number): Promise<number> {
  let factor = Number.POSITIVE_INFINITY;
  for (let runs = 0; runs < MAX_RUNS && factor > SUSPICIOUS_FACTOR; runs += 1) {
    const largeMs = await cpuTimeOf(() => run(4 * size));
    // A short time shows enough without the other.
    const smallMs = largeMs <= SUSPICIOUS_FACTOR * MIN_MEASURED_MS ? 0 : await cpuTimeOf(() => run(size));
    factor = Math.min(factor, largeMs / Math.max(smallMs, MIN_MEASURED_MS));
  }
  return factor;
}

/** CPU time of `work` in milliseconds. */
async function cpuTimeOf(work: () => unknown): Promise<number> {
  const startMs = cpuTimeMs();
  await work();
  return cpuTimeMs() - startMs;
}
