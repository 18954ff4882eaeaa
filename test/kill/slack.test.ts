import { expect, it } from "vitest";
import { SlackCrashRun } from "../platforms/slack/crash-run.ts";
import { runCrashTests } from "../support/crash-test.ts";
import { isLargeSample, repetitions } from "../support/soak.ts";

const KILLS_EACH = repetitions({ short: 4, full: 51 });
const LIMITED_KILLS_EACH = repetitions({ short: 3, full: 20 });

it("loses no alert and sends none twice on Slack when the process is killed", async () => {
  const runs = await runCrashTests(KILLS_EACH, (...given) => SlackCrashRun.begin(...given));
  for (const { problems } of runs) expect(problems).toEqual([]);
  if (!isLargeSample(KILLS_EACH)) return;
  // Many kills left a message on Slack that was not recorded as delivered: otherwise the test would show nothing.
  expect(runs.reduce((sum, { figures }) => sum + figures.inFlight, 0)).toBeGreaterThan(KILLS_EACH / 2);
});

it("does so also while Slack limits how often the app may read histories", async () => {
  const runs = await runCrashTests(LIMITED_KILLS_EACH, (...given) =>
    SlackCrashRun.begin(...given, { isLimited: true }),
  );
  for (const { problems } of runs) expect(problems).toEqual([]);
});
