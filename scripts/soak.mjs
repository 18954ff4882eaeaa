// Runs the long kill, fault and fan-out tests: npm run soak -- [--seed N] [--minutes N]
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

const DEFAULT_MINUTES = "10";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    minutes: { type: "string", default: DEFAULT_MINUTES },
    "report-json": { type: "string" },
  },
});
const problems = [
  ...(isPositive(values.minutes) ? [] : [`--minutes: got "${values.minutes}", expected a number above 0`]),
  ...(values.seed === undefined || /^\d+$/.test(values.seed)
    ? []
    : [`--seed: got "${values.seed}", expected a whole number`]),
  ...positionals.map((text) => `unexpected argument "${text}"`),
];
if (problems.length > 0) {
  for (const problem of problems) console.error(`soak: ${problem}`);
  process.exit(2);
}
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
console.log(`soak: ${values.minutes} minutes, seed ${seed}`);
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const reporters =
  values["report-json"] === undefined
    ? []
    : ["--reporter=default", "--reporter=json", `--outputFile.json=${values["report-json"]}`];
const { status } = spawnSync(process.execPath, [vitest, "run", ...reporters], {
  stdio: "inherit",
  env: { ...process.env, SOAK_MINUTES: values.minutes, SOAK_SEED: seed },
});
process.exit(status ?? 1);

function isPositive(text) {
  return Number(text) > 0 && Number.isFinite(Number(text));
}
