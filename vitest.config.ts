import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** They hold the rate that the platforms' limits allow, so they want the machine for themselves. */
const FAN_OUTS = "test/platforms/**/fan-out.test.ts";

export default defineConfig({
  test: {
    reporters: ["default"],
    projects: [
      {
        test: {
          name: "unit",
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
          testTimeout: 240_000,
        },
      },
      {
        test: { name: "browser", include: ["test/browser/**/*.test.ts"], fileParallelism: false, testTimeout: 60_000 },
      },
    ],
  },
});
