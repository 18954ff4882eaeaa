/** Measured values of one moment, by name. */
export type Figures<Name extends string> = Readonly<Record<Name, number>>;

/** Least value of each figure. A leak raises it; work that is not finished at one measurement does not. */
function leastOf<Name extends string>(names: readonly Name[], samples: readonly Figures<Name>[]): Figures<Name> {
  const minimum = (name: Name): number => Math.min(...samples.map((sample) => sample[name]));
  return Object.fromEntries(names.map((name) => [name, minimum(name)])) as Record<Name, number>;
}

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
): Growth<Name> {
  const names = Object.keys(tolerance) as Name[];
  const half = Math.floor(samples.length / 2);
  const [before, after] = [leastOf(names, samples.slice(0, half)), leastOf(names, samples.slice(half))];
  return { before, after, grown: names.filter((name) => after[name] - before[name] > tolerance[name]) };
}
