import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** They hold the rate that the platforms' limits allow, so they want the machine for themselves. */
const FAN_OUTS = "test/platforms/**/fan-out.test.ts";

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
          // Most of them wait for sockets and timers now and then.
          maxWorkers: 2 * availableParallelism(),
          include: ["src/**/*.test.ts", "test/{contract,repository,service,flows,platforms}/**/*.test.ts"],
          exclude: [FAN_OUTS],
        },
      },
      {
        // Real processes, killed. They share the two cores of a small machine badly, so one file at a time.
        test: {
          name: "process",
          include: ["test/process/**/*.test.ts", FAN_OUTS],
          fileParallelism: false,
          ...patience,
          testTimeout: 240_000,
        },
      },
      {
        test: { name: "browser", ...patience, include: ["test/browser/**/*.test.ts"], fileParallelism: false },
      },
    ],
  },
});
