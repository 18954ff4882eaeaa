import { expect, it } from "vitest";
import { deferred } from "../../test/support/deferred.ts";
import { type Running, startRestartable } from "./restartable.ts";

function recorded(): { readonly calls: string[]; readonly start: () => Running } {
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
  const { calls, start } = recorded();
  const restartable = startRestartable(start);
  await restartable.change(async () => void calls.push("change"));
  await restartable.stop();
  expect(calls).toEqual(["start", "stop", "change", "start", "stop"]);
});

it("finishes a running change when it is stopped, and leaves nothing running", async () => {
  const { calls, start } = recorded();
  const restartable = startRestartable(start);
  const changing = deferred();
  const changed = restartable.change(() => changing.promise);
  const stopped = restartable.stop();
  changing.resolve();
  await Promise.all([changed, stopped]);
  expect(calls.filter((call) => call === "start")).toHaveLength(calls.filter((call) => call === "stop").length);
  await restartable.change(async () => void calls.push("change"));
  expect(calls).not.toContain("change");
});

it("reports a failed change and can still be stopped", async () => {
  const { calls, start } = recorded();
  const restartable = startRestartable(start);
  await expect(restartable.change(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await restartable.stop();
  expect(calls).toEqual(["start", "stop"]);
});
