import type { AnyMiddlewareArgs, App, Middleware } from "@slack/bolt";
import { z } from "zod";
import { card } from "../../messages/message.ts";
import type { Clock } from "../../ports/clock.ts";
import { type AnswerParts, type Asked, answer, say, share } from "./answer.ts";
import { commandText } from "./command-text.ts";
import { ACTION, renderAnswer } from "./render.ts";
import { createSeen } from "./seen.ts";
import type { Presence, Workspaces } from "./workspaces.ts";

export interface ConversationParts extends AnswerParts {
  readonly workspaces: Workspaces;
  readonly clock: Clock;
}

export interface Conversation {
  /** Resolves when what is being answered is answered. */
  idle(): Promise<void>;
}

/** Answers commands and buttons. Each is acknowledged before anything else is done. */
export function startConversation(app: App, parts: ConversationParts): Conversation {
  const underWay = new Set<Promise<void>>();

  function work(asked: Asked, how: typeof answer): void {
    const working = inWorkspace(asked, parts, how).catch((error: unknown) =>
      parts.log.warn("slack-answer-lost", { error }),
    );
    underWay.add(working);
    void working.then(() => underWay.delete(working));
  }

  app.use(onlyOnce(parts));
  app.error(async (error) => parts.log.error("slack-event-failed", { error }));
  app.command(/./, async ({ body, respond }) => {
    const typed = typedCommand.parse(body);
    const who = { teamId: typed.team_id, userId: typed.user_id, userName: typed.user_name };
    work({ ...who, line: commandText(typed.text), channelId: typed.channel_id, respond, pressed: null }, answer);
  });
  app.action(/^(?:run|share):/, async ({ body, respond }) => {
    const { user, team, container, actions } = pressedButton.parse(body);
    const who = { teamId: team?.id ?? user.team_id, userId: user.id, userName: user.name };
    for (const { action_id: actionId, value } of actions) {
      const pressed = { ephemeral: container.is_ephemeral, threadTs: container.thread_ts ?? null };
      const asked = { ...who, line: commandText(value), channelId: container.channel_id, respond, pressed };
      work(asked, actionId.startsWith(ACTION.share) ? share : answer);
    }
  });
  return { idle: async () => void (await Promise.all(underWay)) };
}

/** What Slack sends when a command is typed, as far as it matters here. */
const typedCommand = z.object({
  text: z.string().default(""),
  team_id: z.string().default(""),
  user_id: z.string(),
  user_name: z.string().default(""),
  channel_id: z.string(),
});

/** What Slack sends when a button is pressed. */
const pressedButton = z.object({
  team: z.object({ id: z.string() }).nullish(),
  user: z.object({ id: z.string(), name: z.string().default(""), team_id: z.string().default("") }),
  container: z.object({
    channel_id: z.string(),
    is_ephemeral: z.boolean().default(false),
    thread_ts: z.string().optional(),
  }),
  actions: z.array(z.object({ action_id: z.string(), value: z.string() })),
});

/**
 * Slack repeats what it takes for lost: the same envelope, the same event, the same press of a button. Each is acknowledged,
 * since the acknowledgement may be what was lost, and acted upon once.
 */
function onlyOnce({ clock, log }: ConversationParts): Middleware<AnyMiddlewareArgs> {
  const seen = createSeen(clock);
  return async (args) => {
    const { body, context, next } = args;
    const { trigger_id: trigger, event_id: event } = { trigger_id: null, event_id: null, ...body };
    const isNew = seen.isNew([context.envelopeId, trigger, event].filter((id) => typeof id === "string"));
    // A connection that breaks now takes the acknowledgement with it: then Slack comes again, and is known.
    if ("ack" in args) await args.ack?.().catch((error: unknown) => log.debug("slack-ack-lost", { error }));
    if (isNew) await next();
  };
}

async function inWorkspace(
  asked: Asked,
  parts: ConversationParts,
  how: (asked: Asked, presence: Presence, parts: AnswerParts) => Promise<void>,
): Promise<void> {
  const presence = await parts.workspaces.find(asked.teamId);
  if (presence !== null) return how(asked, presence, parts);
  for (const message of renderAnswer([NOT_READY], null, 1))
    await say(asked.respond, message, { response_type: "ephemeral", replace_original: false });
}

const NOT_READY = card({
  tone: "warning",
  title: "splitwatch cannot answer here yet",
  lines: [
    "Slack has not confirmed its token for this workspace. Try again in a minute; if it stays so, install the app again.",
  ],
});
