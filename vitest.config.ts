import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    reporters: ["default"],
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/{contract,repository,service,flows,platforms}/**/*.test.ts"],
        },
      },
      {
        // Real processes, killed. They share the two cores of a small machine badly, so one file at a time.
        test: { name: "process", include: ["test/process/**/*.test.ts"], fileParallelism: false, testTimeout: 240_000 },
      },
      {
        test: { name: "browser", include: ["test/browser/**/*.test.ts"], fileParallelism: false, testTimeout: 60_000 },
      },
    ],
  },
});
