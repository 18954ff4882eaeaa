import { IS_SOAK } from "./soak.ts";

/**
 * Options of a test that verifies a promised time. Other processes can delay any single measurement, so the best of
 * three counts; the time itself is never relaxed.
 */
export const BEST_OF_THREE = { retry: 2 } as const;

/** Characters of a quarter of a long hostile text: a quarter of a megabyte in `npm test`, a megabyte in `npm run soak`. */
export const HOSTILE_QUARTER = IS_SOAK ? 250_000 : 62_500;

/** CPU time of this process in milliseconds, which does not depend on other processes. */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Ratio of the CPU times of `run` with four times the size and with the size: about 4 if the time is linear, 16 if it is
 * quadratic. The ratio does not depend on the speed of the machine. A high ratio is measured once more, because a pause can
 * cause it; times below 20 ms count as 20 ms.
 */
export function growthFactor(run: (size: number) => void, size: number): number {
  const cpuTimeOf = (wanted: number): number => {
    const start = cpuTimeMs();
    run(wanted);
    return cpuTimeMs() - start;
  };
  const once = (): number => cpuTimeOf(4 * size) / Math.max(cpuTimeOf(size), 20);
  const first = once();
  return first < 7 ? first : Math.min(first, once());
}
