import { expect, it } from "vitest";
import { DiscordCrashRun } from "../platforms/discord/crash-run.ts";
import { runCrashTests } from "../support/crash-test.ts";
import { isLargeSample, repetitions } from "../support/soak.ts";

const KILLS_EACH = repetitions({ short: 4, full: 51 });

it("loses no alert and sends none twice on Discord when the process is killed while messages are stored and answers are lost", async () => {
  const runs = await runCrashTests(KILLS_EACH, (...given) => DiscordCrashRun.begin(...given));
  for (const { problems } of runs) expect(problems).toEqual([]);
  if (!isLargeSample(KILLS_EACH)) return;
  // The kills interrupted sending, and messages were stored without an answer: otherwise the test would show nothing.
  const total = (figure: "killedWhileSending" | "unanswered"): number =>
    runs.reduce((sum, { figures }) => sum + figures[figure], 0);
  expect(total("killedWhileSending")).toBeGreaterThan(KILLS_EACH / 2);
  expect(total("unanswered")).toBeGreaterThan(KILLS_EACH / 2);
});
