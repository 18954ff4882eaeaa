import { afterEach, expect, it } from "vitest";
import { ACME, BRAVO } from "./rows.ts";
import { inviteApp, unarchive } from "./server/events.ts";
import type { SlackTeam } from "./server/team.ts";
import type { Json, SlackChannel } from "./server/workspace.ts";
import { a, alertsIn, answerTo, b, bench, browser, close, NEWS, open } from "./two-workspaces.ts";
import type { Via } from "./users/user.ts";

afterEach(close);

/** A way in which a channel ends, and the event with which it comes back. */
interface Return {
  readonly kind: SlackChannel["kind"];
  readonly end: Partial<SlackChannel>;
  readonly comesBack: (team: SlackTeam) => Json;
}

const RETURNS: Readonly<Record<string, Return>> = {
  "invites splitwatch again": {
    kind: "private",
    end: { botIsMember: false },
    comesBack: (team) => inviteApp(team.workspace, team.channel("general")),
  },
  "is private and unarchived": {
    kind: "private",
    end: { archived: true },
    comesBack: (team) => unarchive(team.channel("general")),
  },
  "is public and unarchived": {
    kind: "public",
    end: { archived: true },
    comesBack: (team) => unarchive(team.channel("general")),
  },
};

/** Opens two workspaces whose #general has the same id, and the default rule in both. */
async function openShared(via: Via, kind: SlackChannel["kind"]): Promise<void> {
  await open({ via });
  const other = b.channel("general");
  b.workspace.channels.delete(other.id);
  b.workspace.channels.set(a.channel("general").id, { ...other, id: a.channel("general").id });
  for (const team of [a, b]) {
    await browser.install(team);
    Object.assign(team.channel("general"), { kind, botIsMember: true });
    await answerTo(team, "subscribe");
  }
}

function tries({ workspace }: SlackTeam): number {
  return bench.slack.calls.filter(({ method, team }) => method === "chat.postMessage" && team === workspace.team.id)
    .length;
}

it.each((["socket", "http"] as const).flatMap((via) => Object.keys(RETURNS).map((how) => [how, via] as const)))(
  "a channel of two workspaces that %s in one of them is tried only there, over %s",
  async (how, via) => {
    const { kind, end, comesBack } = RETURNS[how] as Return;
    await openShared(via, kind);
    for (const team of [a, b]) Object.assign(team.channel("general"), end);
    bench.upstream.splits = [ACME, BRAVO, NEWS];
    await bench.run("poll-splits");
    await bench.until("both are paused", () => bench.log.count("destination paused") === 2);

    await bench.slack.sendEvent(a, comesBack(a), { via });
    await bench.until("the first workspace has its alert", () => alertsIn(a).length === 1);
    expect([tries(a), tries(b), alertsIn(b)]).toEqual([2, 1, []]);

    await bench.slack.sendEvent(b, comesBack(b), { via });
    await bench.allDelivered();
    expect([tries(a), tries(b)]).toEqual([2, 2]);
    expect([alertsIn(a).length, alertsIn(b).length]).toEqual([1, 1]);
    expect(bench.slack.violations).toEqual([]);
  },
);
