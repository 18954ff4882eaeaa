import type { App } from "@slack/bolt";
import type { Screens } from "../../../commands/screens.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { SeenRequests } from "../../../ports/store.ts";
import { createReplayGuard } from "../../replay-guard.ts";
import { ACTION, actionPattern } from "../block-kit/card.ts";
import { commandText } from "../block-kit/mrkdwn.ts";
import { createHomeTabs, registerHomeTab, registerSettingOptions, runHomeActions } from "../home/home.ts";
import { PLATFORM, type Workspaces } from "../workspace.ts";
import { type Background, createBackground, handleOnce } from "./acknowledgement.ts";
import { type AnswerParts, absenceCard, answer, type CommandRequest, respondWithCard, share } from "./answer.ts";
import { type AppEventParts, registerAppEvents } from "./app-events.ts";
import { registerMessageHelp } from "./message-help.ts";
import { type BlockActions, callerOf, readBlockActions, slashCommand } from "./payloads.ts";
import { registerRuleForm } from "./rule-form.ts";

export interface InteractionParts extends AnswerParts, Pick<AppEventParts, "resume" | "untilSaved"> {
  readonly screens: Screens;
  readonly workspaces: Workspaces;
  readonly clock: Clock;
  readonly seenRequests: SeenRequests;
}

/** Registers the handlers of commands, buttons, forms, home tabs, messages and events of the app. */
export function registerInteractions(app: App, parts: InteractionParts): Pick<Background, "idle"> {
  const background = createBackground(parts.log);
  const isNew = createReplayGuard(PLATFORM, parts.seenRequests, parts.log);
  const homeTabs = createHomeTabs(parts);

  app.use(handleOnce(isNew, parts.log));
  app.error(async (error) => parts.log.error("slack event failed", { error }));
  app.command(/./, async ({ body, respond }) => {
    const {
      text,
      team_id: teamId,
      user_id: userId,
      user_name: userName,
      channel_id: channelId,
      channel_name: channelName,
      team_domain: teamName,
    } = slashCommand.parse(body);
    // The workspace in which the user typed the command.
    const request = {
      teamId,
      homeId: teamId,
      userId,
      userName,
      channelName,
      teamName,
      input: commandText(text),
      channelId,
      respond,
      button: null,
    };
    background.run(() => runInWorkspace(request, parts, answer));
  });
  app.action(actionPattern(ACTION.run, ACTION.share, ACTION.home), async ({ body, respond }) => {
    const payload = readBlockActions(body);
    if (payload.container.channel_id === undefined) runHomeActions(payload, homeTabs, background);
    for (const { request, handle } of buttonRequests(payload, respond))
      background.run(() => runInWorkspace(request, parts, handle));
  });
  registerHomeTab(app, homeTabs, background);
  registerSettingOptions(app, parts);
  registerRuleForm(app, { ...parts, homeTabs, background, isNew });
  registerMessageHelp(app, { ...parts, background, isNew });
  registerAppEvents(app, { ...parts, background });
  return background;
}

/** Returns the requests of pressed buttons. Each button contains a command line. */
function buttonRequests(
  payload: BlockActions,
  respond: CommandRequest["respond"],
): readonly { readonly request: CommandRequest; readonly handle: typeof answer }[] {
  const { container, actions } = payload;
  const { channel_id: channelId } = container;
  if (channelId === undefined) return [];
  const button = { ephemeral: container.is_ephemeral, threadTs: container.thread_ts ?? null };
  return actions.map(({ action_id: actionId, value }) => ({
    request: { ...callerOf(payload), input: commandText(value ?? ""), channelId, respond, button },
    handle: actionId.startsWith(ACTION.share) ? share : answer,
  }));
}

async function runInWorkspace(request: CommandRequest, parts: InteractionParts, handle: typeof answer): Promise<void> {
  const connected = await parts.workspaces.find(request);
  if (connected !== null) return handle(request, connected, parts);
  const threadTs = request.button?.threadTs ?? null;
  await respondWithCard(request.respond, absenceCard(await parts.workspaces.absenceReason(request)), threadTs);
}
