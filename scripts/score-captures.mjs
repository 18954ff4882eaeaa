// Compares what `splitwatch read` makes of captured documents with the splits that a person reads in them.

/** Terms that are compared, where the expected split states them. */
const TERMS = ["ticker", "ratio", "ex_date", "new_cusip"];
/** Kinds of releases that state a split. */
const SPLIT_KINDS = new Set(["reverse_split", "ads_ratio_change", "postponed", "cancelled"]);

/**
 * `records`: lines of `splitwatch read`; `expected`: lines of expected.jsonl. Returns the counts by source, and a line of text for
 * each split that is wrong or refused. A split is right if the document states it with each of its terms; a document without
 * expected terms is right if it states no split. A stated split that is not expected is wrong.
 */
export function scoreCaptures(records, expected) {
  const sources = new Map();
  const problems = [];
  for (const [file, lines] of groupByFile(expected)) {
    const { source } = lines[0];
    const counts = sources.get(source) ?? { source, documents: 0, right: 0, wrong: 0, refused: 0 };
    sources.set(source, counts);
    counts.documents += 1;
    for (const { outcome, text } of scoreDocument(
      records.filter((record) => record.file === file),
      lines,
    )) {
      counts[outcome] += 1;
      if (outcome !== "right") problems.push(`${file}: ${outcome}: ${text}`);
    }
  }
  return { sources: [...sources.values()], problems };
}

function scoreDocument(records, lines) {
  const stated = records.filter(
    ({ record, kind }) => record === "statement" || (record === "release" && SPLIT_KINDS.has(kind)),
  );
  const splits = lines.filter((line) => TERMS.some((term) => (line[term] ?? null) !== null));
  const refusal = records.find(({ record }) => record === "refused");
  const results = splits.map((split) => {
    if (stated.some((one) => isSame(one, split))) return { outcome: "right" };
    const text = `expected ${describe(split)}`;
    if (stated.length === 0 && refusal !== undefined) return { outcome: "refused", text: `${text}: ${refusal.reason}` };
    return { outcome: "wrong", text: `${text}, got ${stated.map(describe).join("; ") || "no split"}` };
  });
  // A split with a wrong term is counted once.
  const surplus = stated.filter((one) => !splits.some((split) => isSame(one, split)));
  const unexpected = surplus.slice(results.filter(({ outcome }) => outcome === "wrong").length);
  if (results.length === 0 && unexpected.length === 0) return [{ outcome: "right" }];
  return [
    ...results,
    ...unexpected.map((one) => ({ outcome: "wrong", text: `expected no split, got ${describe(one)}` })),
  ];
}

function isSame(stated, expected) {
  return TERMS.every((term) => {
    if (expected[term] === undefined) return true;
    const tickers = (stated.tickers ?? []).map(({ ticker }) => ticker);
    return stated[term] === expected[term] || (term === "ticker" && tickers.includes(expected.ticker));
  });
}

function describe(split) {
  return TERMS.map((term) => (split[term] === undefined ? "" : `${term} ${split[term] ?? "not stated"}`))
    .filter(Boolean)
    .join(", ");
}

function groupByFile(lines) {
  const files = new Map();
  for (const line of lines) files.set(line.file, [...(files.get(line.file) ?? []), line]);
  return files;
}

/** Returns the score as lines: a table with a row per source, and the problems. */
export function scoreLines({ sources, problems }) {
  const columns = ["documents", "right", "wrong", "refused"];
  const rows = [
    ["source", ...columns],
    ...sources.map((counts) => [counts.source, ...columns.map((column) => String(counts[column]))]),
    ["all", ...columns.map((column) => String(sources.reduce((sum, counts) => sum + counts[column], 0)))],
  ];
  const width = Math.max(...rows.map(([source]) => source.length));
  return [
    ...rows.map(([source, ...cells]) => source.padEnd(width) + cells.map((cell) => cell.padStart(11)).join("")),
    ...problems,
  ];
}
