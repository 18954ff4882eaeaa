import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { temporaryFolder } from "./test/support/memory-folder.ts";

/** Time after which a test counts as hanging: longer than a busy machine takes. Promised times are measured by their tests. */
const HANG_MS = 240_000;
const CONDITION_TIMEOUT_MS = 60_000;
const common = {
  // A machine that pauses for seconds fails one of thousands of tests. `.ci/run` shows each test that passed only when it was repeated.
  retry: process.env.CI === undefined ? 0 : 1,
  testTimeout: HANG_MS,
  hookTimeout: HANG_MS,
  expect: { poll: { timeout: CONDITION_TIMEOUT_MS } },
  setupFiles: ["test/support/seed-properties.ts"],
};

/** Runs at the pace of the platforms' limits, which take minutes of waiting. */
const AT_PLATFORM_PACE = [
  "test/platforms/discord/fan-out.test.ts",
  "test/platforms/discord/fan-out-outage.test.ts",
  "test/platforms/slack/fan-out.test.ts",
];

/** Tests share the modules of their worker: importing them once per file would take half of the time of short files. */
const SHARED_MODULES = { isolate: false };

/** A setting is declared once for the whole process, so the test that adds one has a process of its own. */
const ISOLATED = ["test/repository/settings.test.ts"];

/** More workers than cores: many tests wait for sockets, timers and processes. With more of them, all cores are busy already. */
const shared = { ...common, maxWorkers: 2 * availableParallelism() };

/** Tests that start and kill processes. Their files stay on the disk. */
const PROCESSES = ["test/{process,kill,faults}/**/*.test.ts", "src/store/engines/sqlite/processes.test.ts"];

/** Runs of a soak alone. `npm test` kills processes in its fault schedules; schedules that stop a database server take minutes. */
const SOAK_ONLY = ["test/kill/*.test.ts", "test/faults/*-database.test.ts"];

/** Commands of the page on PostgreSQL; a soak of ten minutes runs those of all platforms, their deliveries and the sample's story. */
const COMMANDS = "test/flows/commands.test.ts";
const ALL_COMMANDS = [
  COMMANDS,
  "test/flows/sample-story.test.ts",
  "test/platforms/{discord,slack}/{commands,alerts}.test.ts",
  "test/platforms/{portable,calendar}.test.ts",
  "test/platforms/slack/{edit,home}.test.ts",
  "test/platforms/webhook/*.test.ts",
  "test/flows/feeds.test.ts",
];

/** Tests of the whole app, with its state in PostgreSQL. */
const onPostgres = (include: readonly string[]) => ({
  name: "postgres",
  ...SHARED_MODULES,
  include: [...include],
  env: { TMPDIR: temporaryFolder(), STORE_UNDER_TEST: "postgres" },
});

const npmTest = [
  {
    test: {
      ...shared,
      name: "process",
      ...SHARED_MODULES,
      include: PROCESSES,
      exclude: SOAK_ONLY,
    },
  },
  { test: { ...shared, ...onPostgres([COMMANDS]) } },
  { test: { ...shared, name: "browser", include: ["test/browser/**/*.test.ts"] } },
  { test: { ...shared, name: "isolated", include: ISOLATED } },
  {
    test: {
      ...shared,
      name: "unit",
      ...SHARED_MODULES,
      include: ["src/**/*.test.ts", "test/{contract,repository,service,flows,fuzz,platforms}/**/*.test.ts"],
      exclude: [...AT_PLATFORM_PACE, ...ISOLATED, ...PROCESSES],
      // The same file operations without the waits of a disk; these tests kill no process.
      env: { TMPDIR: temporaryFolder() },
    },
  },
];

/** Draws the pictures of the documentation. */
const pictures = [{ test: { ...common, name: "pictures", include: ["test/pictures/**/*.test.ts"] } }];

/** Minutes of a soak from which on times are asserted. */
const FULL_SOAK_MINUTES = 10;
const IS_FULL_SOAK = Number(process.env.SOAK_MINUTES) >= FULL_SOAK_MINUTES;

/** Time after which a run of a soak counts as hanging; long soaks repeat each run more often. */
const SOAK_HANG_MS = Math.max(30, 6 * Number(process.env.SOAK_MINUTES)) * 60_000;

/** A short soak asserts no times, so its runs may delay each other: most wait for their clock, a process or the disk. */
const SOAK_WORKERS = (IS_FULL_SOAK ? 1 : 2) * availableParallelism();

/** Longer forms of runs of `npm test`. In a soak of up to one minute they would have few more cases than there. */
const LONGER_FORMS = [
  "test/fuzz/**/*.test.ts",
  "test/platforms/burst-limits.test.ts",
  "test/process/{backup,damaged-state}.test.ts",
  "test/flows/{distorted-releases,written-releases,wording-grid,month,polling-day}.test.ts",
  "src/{extraction/extract,cli/backup/backup,domain/diff/diff-model,domain/diff/both-orders}.test.ts",
];
const HAS_LONGER_FORMS = Number(process.env.SOAK_MINUTES) > 1;

/** Measured alone, because other runs would delay them. */
const STALLS = "test/soak/stalls/*.test.ts";

const stalls = {
  test: {
    name: "stalls",
    ...common,
    sequence: { groupOrder: 3 },
    maxWorkers: 1,
    include: [STALLS],
    testTimeout: 10 * 60_000,
  },
};

const commandsOnPostgres = {
  test: {
    ...common,
    ...onPostgres(ALL_COMMANDS),
    sequence: { groupOrder: 1 },
    maxWorkers: availableParallelism(),
  },
};

const soak = [
  {
    test: {
      name: "kill",
      ...common,
      ...SHARED_MODULES,
      sequence: { groupOrder: 1 },
      maxWorkers: SOAK_WORKERS,
      include: ["test/{kill,faults,soak}/**/*.test.ts", ...(HAS_LONGER_FORMS ? LONGER_FORMS : [])],
      exclude: [STALLS],
      testTimeout: SOAK_HANG_MS,
    },
  },
  ...(IS_FULL_SOAK ? [commandsOnPostgres] : []),
  {
    test: {
      name: "fan-out",
      ...common,
      sequence: { groupOrder: 2 },
      // All three: together they use a third of two cores.
      maxWorkers: AT_PLATFORM_PACE.length,
      include: AT_PLATFORM_PACE,
    },
  },
  ...(IS_FULL_SOAK ? [stalls] : []),
];

/** Short files with long runs: without the durations of an earlier run, vitest starts large files first, and these last. */
const LONG_RUNS = new RegExp(
  `/(?:${[
    "(?:faults|kill|soak)/[^/]+",
    "flows/(?:late-articles|written-releases|distorted-releases|labeled-releases|wires|story|sample-story|faulty-upstream|month|polling-day)",
    "(?:process/(?:backup|documented-commands|main)|fuzz/commands)",
    "(?:sources/sec/follow-filings|cli/(?:doctor-mistakes|record)|chat/(?:discord/(?:api|interactions)|web/operator-api))",
    "(?:extraction/extract|pipeline/wrong-clock|store/(?:state/state|snapshot/snapshot-file))",
    "platforms/(?:bursts|same-facts|discord/(?:failures|commands)|webhook/faults|slack/(?:token-rotation|isolation|failures|alerts|removal))",
    "repository/(?:added-kinds|patterns)",
    "store/engines/(?:sqlite/contract|postgres/(?:contract|concurrency|database|lost-answers))",
    "sources/newswires/(?:poll-budget|wires)",
    "catalog/any-statements",
  ].join("|")})\\.test\\.ts$`,
);

/** Of these, runs of a minute in a short soak, most of which they wait: the others run meanwhile. */
const LONGEST_RUNS = /\/(?:soak\/(?:replicas|weeks)|faults\/(?:discord|slack)[^/]*|kill\/[^/]+)\.test\.ts$/;

/** Position among the files of a project: the lowest start first. */
function rankOf({ moduleId }: TestSpecification): number {
  if (LONGEST_RUNS.test(moduleId)) return 0;
  return LONG_RUNS.test(moduleId) ? 1 : 2;
}

class LongRunsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- The method of a sequencer, which returns a new array.
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).toSorted((a, b) => rankOf(a) - rankOf(b)),
    );
  }
}

function selectedProjects(): typeof npmTest | typeof soak | typeof pictures {
  if (process.env.PICTURES !== undefined) return pictures;
  return process.env.SOAK_MINUTES === undefined ? npmTest : soak;
}

export default defineConfig({
  test: {
    reporters: ["default"],
    globalSetup: ["test/support/postgres-setup.ts", "test/support/build-setup.ts"],
    sequence: { sequencer: LongRunsFirst },
    projects: selectedProjects(),
  },
});
