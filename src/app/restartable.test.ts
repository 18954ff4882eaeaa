import { expect, it } from "vitest";
import type { Stoppable } from "../ports/jobs.ts";
import { startRestartable } from "./restartable.ts";

function recordCalls(): { readonly calls: string[]; readonly start: () => Stoppable } {
  const calls: string[] = [];
  return {
    calls,
    start: () => {
      calls.push("start");
      return {
        async stop() {
          calls.push("stop");
        },
      };
    },
  };
}

it("stops before a change and starts again after it", async () => {
  const { calls, start } = recordCalls();
  const restartable = startRestartable(start);
  await restartable.restart(async () => void calls.push("change"));
  await restartable.stop();
  expect(calls).toEqual(["start", "stop", "change", "start", "stop"]);
});

it("completes a restart in progress before it stops permanently", async () => {
  const { calls, start } = recordCalls();
  const restartable = startRestartable(start);
  const change = Promise.withResolvers<void>();
  const restart = restartable.restart(() => change.promise);
  const stop = restartable.stop();
  change.resolve();
  await Promise.all([restart, stop]);
  expect(calls.filter((call) => call === "start")).toHaveLength(calls.filter((call) => call === "stop").length);
  await restartable.restart(async () => void calls.push("change"));
  expect(calls).not.toContain("change");
});

it("rejects if the change fails, and runs again", async () => {
  const { calls, start } = recordCalls();
  const restartable = startRestartable(start);
  await expect(restartable.restart(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await restartable.stop();
  expect(calls).toEqual(["start", "stop", "start", "stop"]);
});
