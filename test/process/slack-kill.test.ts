import { expect, it } from "vitest";
import { SlackCrashRun } from "../platforms/slack/crash-run.ts";
import { killSideBySide } from "../support/kill-side-by-side.ts";

const KILLS_EACH = 51;

it("a process that is killed while it tells Slack of splits loses nothing and tells nothing twice, over more than a hundred kills", async () => {
  const runs = await killSideBySide(KILLS_EACH, (...given) => SlackCrashRun.begin(...given));
  for (const { problems } of runs) expect(problems).toEqual([]);
  // Many of them came while Slack had a message that nobody had noted as delivered.
  expect(Math.min(...runs.map(({ figures }) => figures.hit))).toBeGreaterThan(KILLS_EACH / 4);
}, 400_000);
