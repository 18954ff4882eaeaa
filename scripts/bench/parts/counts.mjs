/** True in the test that runs benchmarks once, to see that they still work. */
const IS_TRIAL = process.env.BENCH_TRIAL !== undefined;

/** The count of a benchmark, and the smallest one with which it runs. */
export function countOf(count, smallest) {
  return IS_TRIAL ? smallest : count;
}
