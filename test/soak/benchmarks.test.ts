import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const SCRIPT = fileURLToPath(new URL("../../scripts/bench.mjs", import.meta.url));
const MODULES = new URL("../../scripts/bench/", import.meta.url);

/** Benchmarks that run in one process and have a small form, which takes a second. */
const SMALL = ["views", "store", "matching", "extraction"];

const OTHERS = readdirSync(MODULES)
  .filter((file) => file.endsWith(".mjs") && !SMALL.includes(file.replace(".mjs", "")))
  .toSorted();

const run = promisify(execFile);

it(`measures with the smallest counts: ${SMALL.join(", ")}`, async () => {
  const { SPLITWATCH_CORPUS: _, ...inherited } = process.env;
  const env = { ...inherited, BENCH_TRIAL: "1" };
  const { stdout } = await run(process.execPath, [SCRIPT, ...SMALL], { env });
  const figures = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Readonly<Record<string, { value: unknown }>>;
  const names = ["list at", "add one watch at", "200 events × 1,000 rules, saved", "extract a release"];
  for (const name of names) expect(Object.keys(figures).some((key) => key.startsWith(name))).toBe(true);
  for (const { value } of Object.values(figures)) expect(value).toEqual(expect.any(Number));
});

it.each(OTHERS)("loads %s, with everything that it imports", async (file) => {
  const module = (await import(new URL(file, MODULES).href)) as { readonly measure?: unknown };
  expect(module.measure).toBeTypeOf("function");
});
