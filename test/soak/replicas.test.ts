import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, type TestContext } from "vitest";
import { ReplicaRun } from "../platforms/replica-run.ts";
import { Processes } from "../support/process.ts";
import { IS_FULL_SOAK } from "../support/soak.ts";
import { waitUntil } from "../support/wait-until.ts";

/** 10,000 deliveries in a full soak: two splits in each channel. */
const CROWD = IS_FULL_SOAK
  ? { discordChannels: 4_500, slackChannels: 500 }
  : { discordChannels: 120, slackChannels: 12 };
const ALL = CROWD.discordChannels + CROWD.slackChannels;

/** Longer than a process counts as alive without a sign of life. */
const FROZEN_MS = 35_000;
const DOWN_MS = 2_000;

/** 20,000 deliveries in a full soak. */
const SPLITS_WITH_LOSSES = IS_FULL_SOAK ? 4 : 2;

/** Shares of the commits whose connection is cut, and of the sends that time out and are posted later. */
const LOST_SHARE = IS_FULL_SOAK ? 0.0005 : 0.01;
const LATE_SHARE = IS_FULL_SOAK ? 0.01 : 0.05;

/** Maximum duration in relation to the time that the platforms' limits require; only a full soak is long enough to assert it. */
const MAX_RATIO = IS_FULL_SOAK ? 1.1 : Number.POSITIVE_INFINITY;

async function openRun({ onTestFinished }: TestContext): Promise<ReplicaRun> {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-replicas-"));
  const run = await ReplicaRun.begin(folder, new Processes(), CROWD);
  onTestFinished(async () => {
    await run.close();
    await rm(folder, { recursive: true, force: true });
  });
  return run;
}

function print(title: string, figures: Awaited<ReturnType<ReplicaRun["settle"]>>): void {
  const { messages, deliveries, seconds, minimumSeconds } = figures;
  const ratio = (seconds / minimumSeconds).toFixed(3);
  process.stdout.write(
    `${title}: ${deliveries} deliveries in ${messages} messages, ${seconds.toFixed(1)} s, ${ratio} of the limits' minimum\n`,
  );
}

/** Without assertions on time, one test runs while another waits. */
const TOGETHER = { concurrent: !IS_FULL_SOAK };

describe("three processes on one database deliver each alert once, in order and within the limits", TOGETHER, () => {
  it("while one is killed, one is frozen for a while, and the database is restarted", async (context) => {
    const run = await openRun(context);
    const processes = [await run.start(), await run.start(), await run.start()] as const;
    run.announce();
    await run.posted(ALL * 0.2);
    await run.kill(processes[0]);
    await run.posted(ALL * 0.4);
    run.announce();
    processes[1].signal("SIGSTOP");
    await Promise.all([pause(FROZEN_MS), run.posted(ALL * 0.6)]);
    processes[1].signal("SIGCONT");
    await run.server.stop();
    await pause(DOWN_MS);
    await run.server.start();
    const figures = await run.settle();
    print("faults", figures);
    expect(run.problems()).toEqual([]);
    expect(figures.seconds / figures.minimumSeconds).toBeLessThanOrEqual(MAX_RATIO);
  });

  it("while commits are lost, messages are posted late, and one process is killed and replaced", async (context) => {
    const run = await openRun(context);
    const first = await run.start();
    await run.start();
    await run.start();
    run.loseCommits(LOST_SHARE);
    run.storeLate(LATE_SHARE);
    for (let announced = 1; announced <= SPLITS_WITH_LOSSES; announced += 1) {
      run.announce();
      // Each channel gets at least one message about the split, together with those that still wait.
      await run.posted(run.messages + ALL * 0.5);
      if (announced === 2) await run.kill(first);
      if (announced === 2) await run.start();
    }
    await run.settle();
    await run.endFaults();
    print(`lost commits and late messages ${JSON.stringify(run.faults)}`, await run.settle());
    expect(run.problems()).toEqual([]);
    expect(Math.min(...Object.values(run.faults))).toBeGreaterThan(0);
  });

  it("and answers commands while one is killed and another one is frozen", async (context) => {
    const run = await openRun(context);
    const processes = [await run.start(), await run.start(), await run.start()] as const;
    await waitUntil("both platforms are connected", () => run.isConnected);
    let unanswered = run.askRegularly();
    await run.kill(processes[0]);
    const killedAt = performance.now();
    await pause(FROZEN_MS);
    const afterKill = await unanswered(killedAt);
    unanswered = run.askRegularly();
    processes[1].signal("SIGSTOP");
    const frozenAt = performance.now();
    await pause(FROZEN_MS);
    processes[1].signal("SIGCONT");
    const whileFrozen = await unanswered(frozenAt);
    process.stdout.write(`commands: ${JSON.stringify({ afterKill, whileFrozen })}\n`);
    // Those sent before are not counted: what a process has begun to handle is lost with it.
    expect(afterKill.discord.unanswered).toBe(0);
    expect(whileFrozen.discord.unanswered).toBe(0);
  });

  it("while all are replaced, one after another", async (context) => {
    const run = await openRun(context);
    const old = [await run.start(), await run.start(), await run.start()];
    run.announce();
    for (const [index, splitwatch] of old.entries()) {
      await run.posted(ALL * 0.2 * (index + 1));
      if (index === 1) run.announce();
      await run.start();
      await run.stop(splitwatch);
    }
    const figures = await run.settle();
    print("rolling update", figures);
    expect(run.problems()).toEqual([]);
    expect(figures.seconds / figures.minimumSeconds).toBeLessThanOrEqual(MAX_RATIO);
  });
});
