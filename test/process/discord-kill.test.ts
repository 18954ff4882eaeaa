import { describe, expect, it } from "vitest";
import { DiscordCrashRun } from "../platforms/discord/crash-run.ts";
import { killSideBySide } from "../support/kill-side-by-side.ts";

const KILLS_EACH = 51;

describe("a process that is killed while it tells many channels and people on Discord", () => {
  it("loses nothing and tells nothing twice, over more than a hundred kills, while messages are stored and cut off", async () => {
    const runs = await killSideBySide(KILLS_EACH, (...given) => DiscordCrashRun.begin(...given));
    for (const { problems, figures } of runs) {
      expect(problems).toEqual([]);
      expect(figures.killedWhileSending).toBeGreaterThan(KILLS_EACH / 4);
      expect(figures.suppressed).toBeGreaterThan(KILLS_EACH / 4);
    }
  }, 400_000);
});
