import { expect, it } from "vitest";
import { gate } from "../../test/support/gate.ts";
import { type Running, startRestartable } from "./restartable.ts";

function recorded(): { readonly calls: string[]; readonly begin: () => Running } {
  const calls: string[] = [];
  return {
    calls,
    begin: () => {
      calls.push("begin");
      return {
        async stop() {
          calls.push("stop");
        },
      };
    },
  };
}

it("is stopped before the change, and begins again after it", async () => {
  const { calls, begin } = recorded();
  const reading = startRestartable(begin);
  await reading.change(async () => void calls.push("change"));
  await reading.stop();
  expect(calls).toEqual(["begin", "stop", "change", "begin", "stop"]);
});

it("that is to stop while it changes lets the change end, and leaves nothing running", async () => {
  const { calls, begin } = recorded();
  const reading = startRestartable(begin);
  const changing = gate();
  const changed = reading.change(() => changing.opened);
  const stopped = reading.stop();
  changing.open();
  await Promise.all([changed, stopped]);
  expect(calls.filter((call) => call === "begin")).toHaveLength(calls.filter((call) => call === "stop").length);
  await reading.change(async () => void calls.push("change"));
  expect(calls).not.toContain("change");
});

it("that fails to change tells so, and can still be stopped", async () => {
  const { calls, begin } = recorded();
  const reading = startRestartable(begin);
  await expect(reading.change(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await reading.stop();
  expect(calls).toEqual(["begin", "stop"]);
});
