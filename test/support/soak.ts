/** Minutes that `npm run soak` may take; null in `npm test`, where each long run has a short form. */
const MINUTES = process.env.SOAK_MINUTES === undefined ? null : Number(process.env.SOAK_MINUTES);

/** Whether this is `npm run soak`. */
export const IS_SOAK = MINUTES !== null;

/** Minutes for which the repetitions of the long runs are chosen. */
const FULL_MINUTES = 10;

/** Whether the soak is long enough for assertions on time, which need a machine that isn't busy. */
export const IS_FULL_SOAK = MINUTES !== null && MINUTES >= FULL_MINUTES;

/** Seed of everything random in a run. `SOAK_SEED`, or `npm run soak -- --seed N`, repeats a failed run. */
export const SEED = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Repetitions of a long run: `short` in `npm test`; in a soak of M minutes M/10 of `full`, at least `short`. */
export function repetitions({ short, full }: { readonly short: number; readonly full: number }): number {
  return MINUTES === null ? short : Math.max(short, Math.round((full * MINUTES) / FULL_MINUTES));
}

/** Minimum repetitions for a statement about random kill times. */
const MIN_SAMPLE = 20;

/** Whether the repetitions suffice to require that random kills hit their target. */
export function isLargeSample(count: number): boolean {
  return count >= MIN_SAMPLE;
}
