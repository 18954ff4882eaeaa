import { PermissionFlagsBits } from "discord.js";
import { type Fault, faults } from "../platforms/discord/faults.ts";
import { NoAnswerError } from "../platforms/discord/interactions.ts";
import { asText, embedTexts, isJson, objectsIn } from "../platforms/discord/model.ts";
import { channelPayload } from "../platforms/discord/payloads.ts";
import type { Recorded } from "../platforms/discord/rest.ts";
import { startDiscord } from "../platforms/discord/server.ts";
import type { DiscordUser } from "../platforms/discord/user.ts";
import type { Channel } from "../platforms/discord/world.ts";
import {
  type Chat,
  type DestinationName,
  isRefusal,
  type RefusalKind,
  type RequestFault,
  type StartChat,
} from "./chat.ts";
import type { ChatRequest } from "./requests.ts";

const GUILDS_INTENT = 1;
const SILENCE_MS = 90_000;

/** Discord with its limits, in the schedule's time. */
export const startDiscordChat: StartChat = async ({ clock }) => {
  const discord = await startDiscord({ now: () => clock.now(), limitTime: () => clock.now() });
  const guild = discord.addGuild("Traders");
  const [alerts, nasdaq] = [discord.addChannel(guild, "alerts"), discord.addChannel(guild, "nasdaq")];
  const [ada, bird] = [discord.addUser("ada", guild), discord.addUser("bird", guild)];
  const managers = discord.world.addRole(guild, "managers", { permissions: PermissionFlagsBits.ManageGuild });
  guild.members.set(ada.id, new Set([managers.id]));
  const channels: Record<DestinationName, Channel> = {
    everything: alerts,
    nasdaq,
    ada: ada.direct,
    bird: bird.direct,
  };
  const people: Record<DestinationName, DiscordUser> = { everything: ada, nasdaq: ada, ada, bird };
  const isPerson = (name: DestinationName): boolean => channels[name].recipient !== null;

  /** Acknowledges no heartbeats for two of their intervals, as on a dead connection. */
  const silence = async (): Promise<void> => {
    discord.gateway.silent = true;
    await clock.sleep(SILENCE_MS);
    discord.gateway.silent = false;
  };

  const chat: Chat = {
    host: "discord.test",
    env: { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl.replace("127.0.0.1", "discord.test") },
    isConnected: () => discord.gateway.connected > 0 && discord.commands.length > 0,
    received: (name) =>
      discord.messages(channels[name]).map((message) => ({
        at: message.at,
        text: shownIn(message.original ?? message),
      })),
    requests: (name) =>
      discord.requests
        .filter(({ path }) => path === `/channels/${channels[name].id}/messages`)
        .map((request) => ({
          request: request.method === "POST" ? "send" : "search",
          at: request.time,
          text: isJson(request.body) ? shownIn(request.body) : "",
          outcome: outcomeOf(request),
        })),
    async command(name, { name: command, options = {}, confirm }) {
      const where = isPerson(name) ? "dm" : channels[name];
      const person = people[name];
      try {
        const answer = await person.slash(`/splits ${command}`, options, where);
        // The answer to a command that failed has no button.
        const hasButton = answer.buttons.some(({ label }) => label === confirm);
        return (confirm !== undefined && hasButton ? await person.press(answer.message, confirm, where) : answer).text;
      } catch (error) {
        if (error instanceof NoAnswerError) return null;
        throw error;
      }
    },
    addFault(fault, { request, to, times }) {
      const path = new RegExp(`^/channels/${channels[to].id}/messages$`);
      discord.faults.add(faultOf(fault), { method: request === "send" ? "POST" : "GET", path, times });
    },
    refuse(name, ticker, { code, refusesText }) {
      const path = new RegExp(`^/channels/${channels[name].id}/messages$`);
      const body = new RegExp(
        refusesText ? `\\b${ticker}\\b` : `\\b${ticker}\\b.*"embeds":\\[\\{|"embeds":\\[\\{.*\\b${ticker}\\b`,
      );
      return discord.faults.add(refusalOf(code), { method: "POST", path, body });
    },
    setLatency: (ms) => {
      discord.faults.latencyMs = ms;
    },
    interrupt(random) {
      const { gateway } = discord;
      const ways: readonly [() => void, ...(() => void)[]] = [
        () => gateway.drop(),
        () => gateway.askToReconnect(),
        () => gateway.invalidate(),
        () => gateway.close(4_000),
        () => void silence(),
      ];
      random.pick(ways)();
    },
    setWritable(name, isWritable) {
      const channel = channels[name];
      if (channel.recipient !== null) {
        channel.recipient.dmsClosed = !isWritable;
        return;
      }
      if (isWritable) channel.denied.delete(discord.bot.id);
      else channel.denied.set(discord.bot.id, PermissionFlagsBits.SendMessages);
      discord.gateway.dispatch("CHANNEL_UPDATE", channelPayload(channel), GUILDS_INTENT);
    },
    dropConnections: () => discord.dropConnections(),
    failedRequests: () => discord.requests.filter(({ status }) => status === null || status >= 400).length,
    violations: () => discord.violations,
    stop: () => discord.stop(),
  };
  return chat;
};

function faultOf(fault: RequestFault): Fault {
  if (isRefusal(fault)) return refusalOf(fault.kind);
  switch (fault.kind) {
    case "reset":
      return faults.reset;
    case "hang":
      return faults.hang;
    case "503":
      return faults.status(503);
    case "unauthorized":
      return faults.refusal(401, 0, "401: Unauthorized");
    case "stored-reset":
      return faults.storedThenReset;
    case "stored-hang":
      return faults.storedThenHang;
    case "stored-500":
      return faults.storedThen(500);
    case "stored-late":
      return faults.storedLater(fault.ms);
    case "limited":
    case "limited-globally":
      return tooMany(fault.seconds, fault.kind === "limited-globally");
  }
}

function refusalOf(kind: RefusalKind | "intercepted"): Fault {
  if (kind === "intercepted") return faults.status(403, "<html>blocked by policy</html>");
  return kind === "refused"
    ? faults.refusal(400, 50_035, "Invalid Form Body")
    : faults.refusal(400, 99_999, "A code that is not documented");
}

function tooMany(seconds: number, global: boolean): Fault {
  return faults.answer({
    status: 429,
    headers: {
      "retry-after": String(seconds),
      "x-ratelimit-scope": global ? "global" : "user",
      ...(global ? { "x-ratelimit-global": "true" } : {}),
    },
    body: { message: "You are being rate limited.", retry_after: seconds, global },
  });
}

function outcomeOf({ status, answer }: Pick<Recorded, "status" | "answer">): ChatRequest["outcome"] {
  if (status === null || status >= 500) return "unanswered";
  if (status < 400) return "ok";
  const isGlobal = isJson(answer) && answer.global === true;
  if (status === 401 || isGlobal) return "stopped";
  if (!isJson(answer)) return "intercepted";
  return status === 400 ? "refused" : "hindered";
}

/** Text of a message as its readers see it. */
export function shownIn({ content, embeds }: { readonly content?: unknown; readonly embeds?: unknown }): string {
  const cards = objectsIn(embeds);
  return withoutMarkup(cards.length === 0 ? asText(content) : cards.flatMap(embedTexts).map(asText).join("\n"));
}

export function withoutMarkup(text: string): string {
  return text.replace(/\\([^\w\s])/g, "$1").replace(/[*_`\p{Cf}]/gu, "");
}
