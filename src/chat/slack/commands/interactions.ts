import type { AnyMiddlewareArgs, App, Middleware } from "@slack/bolt";
import { z } from "zod";
import type { Screens } from "../../../commands/screens.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import { renderAnswer } from "../alerts/render.ts";
import { ACTION, actionPattern } from "../block-kit/card.ts";
import { createHomeTabs, registerHomeTab, registerTimezoneOptions, runHomeActions } from "../home/home.ts";
import type { ConnectedWorkspace, Workspaces } from "../workspaces.ts";
import { acknowledge } from "./acknowledge.ts";
import { type AnswerParts, answer, type CommandRequest, notInstalledCard, respondWith, share } from "./answer.ts";
import { commandText } from "./command-text.ts";
import { type BlockActions, callerOf, readBlockActions } from "./payloads.ts";
import { createReplayGuard, type ReplayGuard } from "./replay-guard.ts";
import { registerRuleForm } from "./rule-form.ts";

export interface InteractionParts extends AnswerParts {
  readonly views: Screens;
  readonly workspaces: Workspaces;
  readonly clock: Clock;
}

export interface Interactions {
  /** Resolves when what is being answered is answered. */
  idle(): Promise<void>;
}

/** Answers commands, buttons and forms, and shows people their homes. Each is acknowledged before anything else is done. */
export function registerInteractions(app: App, parts: InteractionParts): Interactions {
  const underWay = new Set<Promise<void>>();
  const seen = createReplayGuard(parts.clock);
  const homes = createHomeTabs(parts);

  function work(doing: () => Promise<void>): void {
    const working = doing().catch((error: unknown) => parts.log.warn("slack reply failed", { error }));
    underWay.add(working);
    void working.then(() => underWay.delete(working));
  }

  app.use(onlyOnce(seen, parts.log));
  app.error(async (error) => parts.log.error("slack event failed", { error }));
  app.command(/./, async ({ body, respond }) => {
    const typed = typedCommand.parse(body);
    const who = { teamId: typed.team_id, userId: typed.user_id, userName: typed.user_name };
    const asked = { ...who, line: commandText(typed.text), channelId: typed.channel_id, respond, button: null };
    work(() => inWorkspace(asked, parts, answer));
  });
  app.action(actionPattern(ACTION.run, ACTION.share, ACTION.home), async ({ body, respond }) => {
    const press = readBlockActions(body);
    if (press.container.channel_id === undefined) runHomeActions(press, homes, work);
    for (const { asked, how } of pressedOn(press, respond)) work(() => inWorkspace(asked, parts, how));
  });
  registerHomeTab(app, homes, work);
  registerTimezoneOptions(app, parts);
  registerRuleForm(app, { ...parts, homes, work, isNew: (ids) => seen.isNew(texts(ids)) });
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

interface Pressed {
  readonly asked: CommandRequest;
  readonly how: typeof answer;
}

/** The buttons of a message that were pressed: each holds a line. */
function pressedOn(press: BlockActions, respond: CommandRequest["respond"]): readonly Pressed[] {
  const { container, actions } = press;
  const { channel_id: channelId } = container;
  if (channelId === undefined) return [];
  const pressed = { ephemeral: container.is_ephemeral, threadTs: container.thread_ts ?? null };
  return actions.map(({ action_id: actionId, value }) => ({
    asked: { ...callerOf(press), line: commandText(value ?? ""), channelId, respond, button: pressed },
    how: actionId.startsWith(ACTION.share) ? share : answer,
  }));
}

/**
 * Slack repeats what it takes for lost: the same envelope, the same event, the same press of a button. Each is acknowledged,
 * since the acknowledgement may be what was lost, and acted upon once.
 */
function onlyOnce(seen: ReplayGuard, log: Log): Middleware<AnyMiddlewareArgs> {
  return async (args) => {
    const { body, context, next } = args;
    // What is acknowledged with an answer: it says something of what was sent, and is the same each time.
    if (body.type === "view_submission" || body.type === "block_suggestion") return next();
    const { trigger_id: trigger, event_id: event } = { trigger_id: null, event_id: null, ...body };
    const isNew = seen.isNew(texts([context.envelopeId, trigger, event]));
    if ("ack" in args && args.ack !== undefined) await acknowledge(args.ack, log);
    if (isNew) await next();
  };
}

function texts(ids: readonly unknown[]): readonly string[] {
  return ids.filter((id) => typeof id === "string");
}

async function inWorkspace(
  asked: CommandRequest,
  parts: InteractionParts,
  how: (asked: CommandRequest, presence: ConnectedWorkspace, parts: AnswerParts) => Promise<void>,
): Promise<void> {
  const presence = await parts.workspaces.find(asked.teamId);
  if (presence !== null) return how(asked, presence, parts);
  for (const message of renderAnswer([notInstalledCard(await parts.workspaces.absenceReason(asked.teamId))], null, 1))
    await respondWith(asked.respond, message, { response_type: "ephemeral", replace_original: false });
}
