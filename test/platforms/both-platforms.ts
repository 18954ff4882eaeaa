import { type FakeDiscord, startDiscord } from "./discord/server.ts";
import { type Traders, traders } from "./discord/traders.ts";
import { type BenchOptions, SlackBench } from "./slack/bench.ts";

/** One app on Slack, Discord and the web page. */
export interface BothPlatforms {
  readonly discord: FakeDiscord;
  readonly bench: SlackBench;
  readonly onDiscord: Traders;
  /** Throws if the app violated Slack's or Discord's rules. */
  close(): Promise<void>;
}

export async function openBothPlatforms(start: BenchOptions): Promise<BothPlatforms> {
  const discord = await startDiscord();
  const onDiscord = traders(discord);
  const env = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl, ...start.env };
  const bench = await SlackBench.open({ ...start, env });
  await bench.until("Discord is connected", () => discord.gateway.connected > 0 && discord.commands.length > 0);
  return {
    discord,
    bench,
    onDiscord,
    async close() {
      const { violations } = discord;
      await bench.close();
      await discord.stop();
      if (violations.length > 0) throw new Error(`violations of Discord's rules:\n${violations.join("\n")}`);
    },
  };
}
