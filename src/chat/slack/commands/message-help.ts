import type { App } from "@slack/bolt";
import { z } from "zod";
import type { IsNew } from "../../replay-guard.ts";
import { renderAnswer } from "../alerts/render.ts";
import { commandText } from "../block-kit/mrkdwn.ts";
import type { Workspaces } from "../workspace.ts";
import type { Background } from "./acknowledgement.ts";
import type { AnswerParts } from "./answer.ts";
import { createCall } from "./caller.ts";
import { receiverOf } from "./payloads.ts";

export interface MessageHelpParts extends Pick<AnswerParts, "commands" | "adminsOnly"> {
  readonly workspaces: Pick<Workspaces, "find">;
  readonly background: Background;
  readonly isNew: IsNew;
}

/** A message of a person. Messages of bots have `bot_id`; edits, joins and other changes have a `subtype`. */
const personMessage = z.object({
  user: z.string(),
  /** Workspace of the author; `user_team` only if it is another one. */
  team: z.string().nullish(),
  user_team: z.string().nullish(),
  channel: z.string(),
  ts: z.string(),
  thread_ts: z.string().optional(),
  channel_type: z.string().optional(),
  bot_id: z.never().optional(),
  subtype: z.never().optional(),
});

type PersonMessage = z.infer<typeof personMessage>;

/** Answers direct messages and mentions with the help text: commands are typed as /splits. */
export function registerMessageHelp(app: App, parts: MessageHelpParts): void {
  app.event("message", async ({ body, event }) => {
    const { data: message } = personMessage.safeParse(event);
    if (message?.channel_type === "im") answerMessage(message, body, parts);
  });
  app.event("app_mention", async ({ body, event }) => {
    const { data: message } = personMessage.safeParse(event);
    if (message !== undefined) answerMessage(message, body, parts);
  });
}

function answerMessage(message: PersonMessage, body: unknown, parts: MessageHelpParts): void {
  const { teamId, botUserIds } = receiverOf(body);
  if (botUserIds.includes(message.user)) return;
  parts.background.run(async () => {
    // A mention in a direct message can arrive as two events.
    if (await parts.isNew([`message.${teamId}.${message.channel}.${message.ts}`]))
      await sendHelp(teamId, message, parts);
  });
}

/** In a channel, only the author of the message sees the answer. */
async function sendHelp(teamId: string, message: PersonMessage, parts: MessageHelpParts): Promise<void> {
  const { user, channel, thread_ts: threadTs } = message;
  const homeId = message.user_team ?? message.team ?? null;
  const caller = { teamId, homeId, userId: user, userName: "", channelId: channel };
  const connected = await parts.workspaces.find(caller);
  if (connected === null) return;
  const { cards } = await parts.commands.run(commandText("help"), createCall(caller, connected, parts.adminsOnly));
  const method = channel.startsWith("D") ? "chat.postMessage" : "chat.postEphemeral";
  for (const { text, blocks } of renderAnswer(cards, null, 1)) {
    const place = {
      channel,
      ...(method === "chat.postEphemeral" ? { user } : {}),
      ...(threadTs && { thread_ts: threadTs }),
    };
    await connected.api.call(method, { ...place, text, blocks }, z.unknown());
  }
}
