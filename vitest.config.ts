import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** They hold the rate that the platforms' limits allow; they mostly wait. */
const FAN_OUTS = ["test/platforms/**/fan-out.test.ts"];

/** They hold a time that was promised, so they want the machine for themselves. */
const MEASURED = [
  "test/process/{main,newcomer}.test.ts",
  "test/flows/{operation,wires}.test.ts",
  "test/service/http.test.ts",
  "src/cli/run-app.test.ts",
  "src/sources/newswires/web.test.ts",
  "src/store/lowdb/**/{lock,processes}.test.ts",
  "src/http/server.test.ts",
];

/** How long a test that hangs is waited for. Disks and cores of other machines are slower than ours: what has to be quick measures it. */
const HANGS_MS = 60_000;
const patience = { testTimeout: HANGS_MS, hookTimeout: HANGS_MS, expect: { poll: { timeout: 10_000 } } };

export default defineConfig({
  test: {
    reporters: ["default"],
    projects: [
      {
        test: {
          name: "unit",
          ...patience,
          sequence: { groupOrder: 1 },
          // Most of them wait for sockets and timers now and then.
          maxWorkers: 2 * availableParallelism(),
          include: ["src/**/*.test.ts", "test/{contract,repository,service,flows,platforms}/**/*.test.ts"],
          exclude: [...FAN_OUTS, ...MEASURED],
        },
      },
      {
        // Real processes, killed: they mostly wait for each other.
        test: {
          name: "process",
          ...patience,
          sequence: { groupOrder: 2 },
          maxWorkers: availableParallelism(),
          include: ["test/process/**/*.test.ts"],
          exclude: MEASURED,
          testTimeout: 240_000,
        },
      },
      {
        test: {
          name: "fan-outs",
          ...patience,
          sequence: { groupOrder: 3 },
          maxWorkers: 2,
          include: FAN_OUTS,
          testTimeout: 240_000,
        },
      },
      {
        test: {
          name: "measured",
          ...patience,
          sequence: { groupOrder: 4 },
          maxWorkers: 1,
          include: MEASURED,
          testTimeout: 240_000,
        },
      },
      {
        test: {
          name: "browser",
          ...patience,
          sequence: { groupOrder: 5 },
          maxWorkers: 1,
          include: ["test/browser/**/*.test.ts"],
        },
      },
    ],
  },
});
