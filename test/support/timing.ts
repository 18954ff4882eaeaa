/**
 * Options of a test that holds a promised time. Another process on the machine can delay any single measurement, so the best of
 * three counts; the time itself is never relaxed.
 */
export const BEST_OF_THREE = { retry: 2 } as const;

/** The milliseconds of work that this process has done: other processes that share the machine do not make it more. */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * How many times more work `run` has with four times the size: about 4 where it grows with the size, 16 where it grows with
 * its square. Both are measured here and now, so that a slow machine changes neither; a pause of the machine is measured
 * once more, and what is no work to speak of is not measured at all.
 */
export function growthFactor(run: (size: number) => void, size: number): number {
  const workFor = (wanted: number): number => {
    const start = cpuTimeMs();
    run(wanted);
    return cpuTimeMs() - start;
  };
  const once = (): number => workFor(4 * size) / Math.max(workFor(size), 20);
  const first = once();
  return first < 7 ? first : Math.min(first, once());
}
