/**
 * Measures two subjects in turn, so that a comparison holds while other programs use the machine. Returns the median of each
 * and the median of the ratios of the pairs, `first` to `second`.
 */
export async function measurePairs(pairs, first, second) {
  const results = [];
  for (let pair = 0; pair < pairs; pair += 1) results.push([await first(), await second()]);
  return {
    first: median(results.map(([a]) => a)),
    second: median(results.map(([, b]) => b)),
    ratio: median(results.map(([a, b]) => a / b)),
  };
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
}
