interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: ReadonlySet<string>;
}

/** Units that a name must not contain, because Prometheus uses base units. */
const OTHER_UNITS =
  "milliseconds|microseconds|nanoseconds|minutes|hours|days|weeks|kilobytes|megabytes|gigabytes|bits|percent|fahrenheit|kelvins";
const ABBREVIATIONS = "s|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d";
const TYPES = "gauge|counter|histogram|summary";

/** Rules of `promtool check metrics`. */
const RULES: readonly (readonly [problem: string, isBroken: (family: Family) => boolean])[] = [
  ["no help text", ({ help }) => help === ""],
  ["no type", ({ type }) => type === ""],
  ['counter metrics should have "_total" suffix', ({ name, type }) => type === "counter" && !name.endsWith("_total")],
  [
    'non-counter metrics should not have "_total" suffix',
    ({ name, type }) => type !== "counter" && name.endsWith("_total"),
  ],
  [
    "only histograms and summaries should have a suffix of theirs",
    ({ name, type }) => !/^(?:histogram|summary)$/.test(type) && /_(?:bucket|count|sum)$/.test(name),
  ],
  ["only histograms should have the label le", ({ type, labels }) => type !== "histogram" && labels.has("le")],
  ["only summaries should have the label quantile", ({ type, labels }) => type !== "summary" && labels.has("quantile")],
  ["names should not contain ':'", ({ name }) => name.includes(":")],
  ["names should not be in camelCase", ({ name, labels }) => [name, ...labels].some((word) => /[a-z][A-Z]/.test(word))],
  ["names should not contain their type", ({ name }) => new RegExp(`(?:^|_)(?:${TYPES})(?:_|$)`).test(name)],
  [
    "names should use base units, unabbreviated",
    ({ name }) => new RegExp(`(?:^|_)(?:${OTHER_UNITS}|${ABBREVIATIONS})(?:_|$)`).test(name),
  ],
];

/** Problems that `promtool check metrics` finds in a page of metrics: `name: problem`. */
export function metricProblems(page: string): readonly string[] {
  return familiesOf(page).flatMap((family) =>
    RULES.flatMap(([problem, isBroken]) => (isBroken(family) ? [`${family.name}: ${problem}`] : [])),
  );
}

function familiesOf(page: string): readonly Family[] {
  return page
    .split(/^(?=# HELP )/m)
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const [, name = "", help = ""] = /^# HELP (\S+) ?(.*)$/m.exec(part) ?? [];
      const type = new RegExp(`^# TYPE ${name} (\\w+)$`, "m").exec(part)?.[1] ?? "";
      const samples = part.split("\n").filter((line) => !line.startsWith("#"));
      const labels = samples.flatMap((line) => [...line.matchAll(/[{,]([^={},]+)="/g)].map(([, label = ""]) => label));
      return { name, help, type, labels: new Set(labels) };
    });
}
