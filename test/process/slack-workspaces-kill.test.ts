import { expect, it } from "vitest";
import { SlackCrashRun } from "../platforms/slack/crash-run.ts";
import { killSideBySide } from "../support/kill-side-by-side.ts";

const KILLS_EACH = 6;

it("a process that is killed while it tells two workspaces, whose tokens are renewed all the while, loses and doubles nothing", async () => {
  const runs = await killSideBySide(KILLS_EACH, (...given) => SlackCrashRun.begin(...given, { isMany: true }));
  for (const { problems, figures } of runs) {
    expect(problems).toEqual([]);
    expect(figures.renewals).toBeGreaterThan(0);
  }
}, 400_000);
