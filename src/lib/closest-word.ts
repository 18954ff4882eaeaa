/** Returns the first of the closest words; undefined if there is none. */
export function closestWord(word: string, words: readonly string[], limit?: number): string | undefined {
  return closestWords(word, words, limit)[0];
}

/**
 * Returns the entries of `words` with the fewest edits from `word`; none if no entry is close enough: at most a third of the letters of `word`,
 * and at most `limit` edits. Ignores case.
 */
export function closestWords(
  word: string,
  words: readonly string[],
  limit: number = Number.POSITIVE_INFINITY,
): readonly string[] {
  const lowerCased = word.toLowerCase();
  const maxEdits = Math.min(limit, Math.max(1, Math.floor(lowerCased.length / 3)));
  const close = words
    .filter(({ length }) => Math.abs(length - lowerCased.length) <= maxEdits)
    .map((candidate) => ({ candidate, edits: editsBetween(lowerCased, candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= maxEdits);
  const fewest = Math.min(...close.map(({ edits }) => edits));
  return close.filter(({ edits }) => edits === fewest).map(({ candidate }) => candidate);
}

/** Damerau-Levenshtein distance (optimal string alignment) between `a` and `b`. */
function editsBetween(a: string, b: string): number {
  let secondLastRow: number[] = [];
  let lastRow = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaceCost = at(lastRow, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapCost = isSwap ? at(secondLastRow, j - 2) + 1 : replaceCost;
      row.push(Math.min(at(lastRow, j) + 1, at(row, j - 1) + 1, replaceCost, swapCost));
    }
    secondLastRow = lastRow;
    lastRow = row;
  }
  return at(lastRow, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
