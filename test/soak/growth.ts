/** Measured values of one moment, by name. */
export type Figures<Name extends string> = Readonly<Record<Name, number>>;

/** Value that stands for several measurements of a figure. */
export type Summary = (values: readonly number[]) => number;

/** Least value. A leak raises it; work that is not finished at one measurement does not. */
export const leastOf: Summary = (values) => Math.min(...values);

/** Value in the middle, for figures that vary in both directions. */
export const medianOf: Summary = (values) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export interface Growth<Name extends string> {
  readonly before: Figures<Name>;
  readonly after: Figures<Name>;
  /** Figures that grew by more than their tolerance. */
  readonly grown: readonly Name[];
}

/** Compares the first half of the samples with the second half. */
export function growthOf<Name extends string>(
  samples: readonly Figures<Name>[],
  tolerance: Figures<Name>,
  summary: Summary,
): Growth<Name> {
  const names = Object.keys(tolerance) as Name[];
  const half = Math.floor(samples.length / 2);
  const summarize = (some: readonly Figures<Name>[]): Figures<Name> =>
    Object.fromEntries(names.map((name) => [name, summary(some.map((one) => one[name]))])) as Record<Name, number>;
  const [before, after] = [summarize(samples.slice(0, half)), summarize(samples.slice(half))];
  return { before, after, grown: names.filter((name) => after[name] - before[name] > tolerance[name]) };
}
