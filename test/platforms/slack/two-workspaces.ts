import { rename, rm } from "node:fs/promises";
import { collect } from "../../../src/lib/collections.ts";
import type { Installation } from "../../../src/ports/state-records.ts";
import { configuredStore } from "../../../src/store/index.ts";
import { copyFolder } from "../../support/app.ts";
import { aSplitRow } from "../../support/upstream.ts";
import { type BenchOptions, SlackBench } from "./bench.ts";
import { ACME, BRAVO, MONDAY } from "./rows.ts";
import type { SlackTeam } from "./server/team.ts";
import { type Browser, openBrowser } from "./users/browser.ts";
import { notificationText } from "./users/message-text.ts";

/** Fixture of the current test: an app that workspaces install through OAuth, two workspaces, and a browser. */
export let bench: SlackBench;
export let browser: Browser;
export let a: SlackTeam;
export let b: SlackTeam;

export const NEWS = aSplitRow({ ticker: "NEWS" });

/** Opens the fixture with the app installed nowhere. */
export async function open(start: BenchOptions = {}): Promise<void> {
  bench = await SlackBench.open({ now: MONDAY, splits: [ACME, BRAVO], many: true, via: "http", ...start });
  browser = openBrowser(bench);
  a = bench.slack;
  b = bench.slack.addTeam();
}

export async function close(): Promise<void> {
  await bench.close();
}

/** Opens the fixture with both workspaces installed: #general has the default rule, and ada watches NEWS. */
export async function openInstalled(start: BenchOptions = {}): Promise<void> {
  await open(start);
  for (const team of [a, b]) {
    await browser.install(team);
    team.channel("general").botIsMember = true;
    await answerTo(team, "subscribe");
    await answerTo(team, "watch NEWS");
  }
}

export function answerTo(team: SlackTeam, line: string): Promise<string> {
  return team.user("ada").answerTo(line, { channel: "general", via: bench.via });
}

export function alertsIn(team: SlackTeam): readonly string[] {
  return team.messages("general").map(notificationText);
}

export async function uninstall(team: SlackTeam): Promise<void> {
  const { via } = bench;
  bench.slack.oauth.revoke(team);
  const bot = [team.workspace.bot.userId];
  await bench.slack.sendEvent(team, { type: "tokens_revoked", tokens: { oauth: [], bot } }, { via });
  await bench.slack.sendEvent(team, { type: "app_uninstalled" }, { via });
  await bench.until("the removal is stored", () => bench.log.count("slack workspace uninstalled") > 0);
}

/** Oldest first. */
export async function storedInstallations({ dataDir }: SlackBench): Promise<readonly Installation[]> {
  const records = await collect(configuredStore({ dataDir }).readState(["installation"]));
  return records
    .flatMap((record) => (record.kind === "installation" ? [record.value] : []))
    .toSorted((one, other) => one.since - other.since);
}

/** The operator's overview, which lists unreachable destinations. */
export async function readOverview({ address }: SlackBench): Promise<string> {
  return (await fetch(`${address}/api/overview`)).text();
}

/** Restarts with a copy of the files as a power cut would leave them. */
export async function restartAfterPowerCut(): Promise<void> {
  const left = `${bench.dataDir}-left`;
  // A machine without power sends no message that the copied files don't know.
  const reconnect = bench.slack.faults.add({ effect: { kind: "reset" } });
  await copyFolder(bench.dataDir, left);
  await bench.stop();
  reconnect();
  await rm(bench.dataDir, { recursive: true });
  await rename(left, bench.dataDir);
  await bench.start();
}

/** The stored state as text. */
export async function dataText({ dataDir }: SlackBench): Promise<string> {
  return JSON.stringify(await collect(configuredStore({ dataDir }).readState()));
}
