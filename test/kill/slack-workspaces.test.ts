import { expect, it } from "vitest";
import { SlackCrashRun } from "../platforms/slack/crash-run.ts";
import { runCrashTests } from "../support/crash-test.ts";
import { repetitions } from "../support/soak.ts";

const KILLS_EACH = repetitions({ short: 3, full: 12 });

it("sends each alert exactly once to two Slack workspaces with rotating tokens although the process is killed", async () => {
  const runs = await runCrashTests(KILLS_EACH, (...given) => SlackCrashRun.begin(...given, { isMany: true }));
  for (const { problems, figures } of runs) {
    expect(problems).toEqual([]);
    expect(figures.renewals).toBeGreaterThan(0);
  }
});
