import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addDays, type Day, dayInZone } from "../../src/domain/time/day.ts";
import { MARKET_ZONE } from "../../src/domain/time/trading-day.ts";
import { type FakeDiscord, startDiscord } from "../platforms/discord/server.ts";
import { type Traders, traders } from "../platforms/discord/traders.ts";
import { type Slack, startSlack } from "../platforms/slack/server/server.ts";
import { waitForPolls, waitUntilIdle } from "../support/polling-process.ts";
import { Processes } from "../support/process.ts";
import { anArticleRow, aSplitRow, startUpstream } from "../support/upstream.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ask } from "../support/web-chat-client.ts";

/** The built program on all platforms after the first alerts. */
export interface Story {
  readonly slack: Slack;
  readonly discord: FakeDiscord;
  readonly onDiscord: Traders;
  /** Address of the page. */
  readonly address: string;
  close(): Promise<void>;
}

export const CHANNEL = "reverse-splits";

const POLL_EVERY_SECOND = 'poll: { splits: "* * * * * *", articles: "* * * * * *" }\n';

/** Starts the program, subscribes a channel of each platform, and announces a split whose date is then changed. */
export async function openStory(): Promise<Story> {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-pictures-"));
  const [slack, discord] = [await startSlack({ channels: [CHANNEL] }), await startDiscord()];
  const onDiscord = traders(discord, "Traders");
  const upstream = await startUpstream({ splits: listed() });
  const processes = new Processes();
  const settings = join(folder, "settings.yaml");
  await writeFile(settings, POLL_EVERY_SECOND);
  const splitwatch = processes.start({
    cwd: folder,
    env: {
      ...slack.env("socket"),
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      SPLITS_API_URL: upstream.url,
      SPLITS_API_KEY: upstream.key,
      SPLITWATCH_CONFIG: settings,
    },
  });
  const address = await splitwatch.ready;
  await waitForPolls(splitwatch, 1);
  await waitUntilIdle(address);
  await waitUntil("Discord has the commands", () => discord.commands.length > 0);
  await ask(address, "ada", "subscribe", { channel: CHANNEL });
  await slack.user("ada").slash("subscribe", { channel: CHANNEL });
  await onDiscord.ada.slash("/splits subscribe", {}, onDiscord.alerts);

  upstream.articles = [release()];
  upstream.splits = [...listed(), announced(12)];
  await waitForMessages(1);
  upstream.splits = [...listed(), announced(16)];
  await waitForMessages(2);
  return {
    slack,
    discord,
    onDiscord,
    address,
    async close() {
      await processes.endAll();
      await Promise.all([slack.stop(), discord.stop(), upstream.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };

  function waitForMessages(count: number): Promise<void> {
    return waitUntil(
      `each platform has ${count} alerts`,
      () => slack.messages(CHANNEL).length >= count && discord.messages(onDiscord.alerts).length >= count,
    );
  }
}

const today = dayInZone(Date.now(), MARKET_ZONE);

/** The weekday `days` days after today, or the first one after it. */
function weekday(days: number): Day {
  const day = addDays(today, days);
  const weekend = { 0: 1, 6: 2 }[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 0;
  return addDays(day, weekend);
}

function announced(days: number): Readonly<Record<string, unknown>> {
  return aSplitRow({ ex_date: weekday(days), date_announced: today });
}

function listed(): readonly Readonly<Record<string, unknown>>[] {
  const rows: readonly (readonly [string, string, string, string, number])[] = [
    ["BRVO", "NYSE", "Bravo & Sons Holdings Inc.", "1:8", 1],
    ["CRVN", "NASDAQ", "Corvane Therapeutics Ltd.", "1:25", 2],
    ["NLMR", "OTC", "Nullmere Mining Corp.", "1:100", 5],
    ["TSLO", "NYSEAMERICAN", "Tersolo Energy Inc.", "1:15", 8],
  ];
  return rows.map(([ticker, exchange, company, ratio, days]) =>
    aSplitRow({ ticker, exchange, company, ratio, ex_date: weekday(days), date_announced: addDays(today, -3) }),
  );
}

function release(): Readonly<Record<string, unknown>> {
  const date = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(new Date(weekday(12)));
  return anArticleRow({
    heading: "Acme Robotics Announces 1-for-20 Reverse Stock Split",
    content:
      `Acme Robotics Inc. (NASDAQ: ACME) today announced a 1-for-20 reverse stock split. The shares begin trading on a split-adjusted basis on ${date}. ` +
      "No fractional shares will be issued; each fractional share will be rounded up to the next whole share.",
    date_published: today,
  });
}
