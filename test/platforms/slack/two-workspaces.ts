import { readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { copyFolder } from "../../support/app.ts";
import { aSplitRow } from "../../support/upstream.ts";
import { type BenchStart, SlackBench } from "./bench.ts";
import { ACME, BRAVO, MONDAY } from "./rows.ts";
import type { SlackTeam } from "./server/team.ts";
import { type Browser, openBrowser } from "./users/browser.ts";
import { notificationText, shownText } from "./users/message-text.ts";

/** An app that many workspaces may install, two of them, and the browser of somebody who may do that. */
export interface TwoWorkspaces {
  readonly bench: SlackBench;
  readonly browser: Browser;
  readonly a: SlackTeam;
  readonly b: SlackTeam;
}

export const NEWS = aSplitRow({ ticker: "NEWS" });

export async function openTwo(start: BenchStart = {}): Promise<TwoWorkspaces> {
  const bench = await SlackBench.open({ now: MONDAY, splits: [ACME, BRAVO], many: true, via: "http", ...start });
  return { bench, browser: openBrowser(bench), a: bench.slack, b: bench.slack.addTeam() };
}

/** Both have installed it, and hear of everything in #general; ada of both watches NEWS. */
export async function openInstalled(start: BenchStart = {}): Promise<TwoWorkspaces> {
  const two = await openTwo(start);
  const { bench, browser, a, b } = two;
  for (const team of [a, b]) {
    await browser.install(team);
    team.channel("general").botIsMember = true;
    await says(bench, team, "subscribe");
    await says(bench, team, "watch NEWS");
  }
  return two;
}

export async function says(bench: SlackBench, team: SlackTeam, line: string): Promise<string> {
  const { messages } = await team.user("ada").slash(line, { channel: "general", via: bench.via });
  return messages.map(shownText).join("\n");
}

export function told(team: SlackTeam): readonly string[] {
  return team.messages("general").map(notificationText);
}

export async function uninstall(bench: SlackBench, team: SlackTeam): Promise<void> {
  const { via } = bench;
  bench.slack.oauth.revoke(team);
  const bot = [team.workspace.bot.userId];
  await bench.slack.tell(team, { type: "tokens_revoked", tokens: { oauth: [], bot } }, { via });
  await bench.slack.tell(team, { type: "app_uninstalled" }, { via });
  await bench.until("it has left", () => bench.log.count("slack workspace uninstalled") > 0);
}

export async function stored({
  dataDir,
}: SlackBench): Promise<readonly { workspaceId: string; credentials: string | null }[]> {
  const text = await readFile(join(dataDir, "installations.json"), "utf8");
  const { state } = JSON.parse(text) as {
    state: { installations: { workspaceId: string; credentials: string | null }[] };
  };
  return state.installations;
}

/** What the operator's page says of places that cannot be reached. */
export async function problems({ address }: SlackBench): Promise<string> {
  return (await fetch(`${address}/api/overview`)).text();
}

/** What a power cut at this moment would leave is what it starts with again. */
export async function powerCut(bench: SlackBench): Promise<void> {
  const left = `${bench.dataDir}-left`;
  await copyFolder(bench.dataDir, left);
  await bench.stop();
  await rm(bench.dataDir, { recursive: true });
  await rename(left, bench.dataDir);
  await bench.start();
}

/** All that is stored, as text. */
export async function dataText({ dataDir }: SlackBench): Promise<string> {
  const names = (await readdir(dataDir)).filter((name) => /\.(?:json|log)$/.test(name));
  return (await Promise.all(names.map((name) => readFile(join(dataDir, name), "utf8")))).join("\n");
}
