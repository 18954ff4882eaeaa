import type { App, types } from "@slack/bolt";
import { z } from "zod";
import type { CommandInput } from "../../../commands/command.ts";
import { optionKind } from "../../../commands/parser/option-kinds.ts";
import type { Screens } from "../../../commands/screens.ts";
import type { PortableSettingName } from "../../../domain/settings/destination-settings.ts";
import { SETTING_DEFINITIONS } from "../../../domain/settings/setting-definitions.ts";
import { createKeyedMutex } from "../../../lib/mutex.ts";
import { internalErrorCard } from "../../../messages/answers/problem-answer.ts";
import type { Card } from "../../../messages/message.ts";
import { settingFormLabel } from "../../../messages/setting-text.ts";
import type { Clock } from "../../../ports/clock.ts";
import { option } from "../block-kit/blocks.ts";
import { commandText } from "../block-kit/mrkdwn.ts";
import type { Background } from "../commands/acknowledgement.ts";
import type { AnswerParts } from "../commands/answer.ts";
import { type Caller, createCall } from "../commands/caller.ts";
import { actorOf, actorSchema, type BlockActions, callerOf, receiverOf } from "../commands/payloads.ts";
import type { ConnectedWorkspace, Workspaces } from "../workspace.ts";
import { commandLineOf, HOME_ACTION, homeView, settingOfAction } from "./view.ts";

export interface HomeParts extends Pick<AnswerParts, "commands" | "adminsOnly" | "log"> {
  readonly screens: Pick<Screens, "home">;
  readonly workspaces: Pick<Workspaces, "find">;
  readonly clock: Clock;
}

/** The home tab of each user. */
export interface HomeTabs {
  /** Publishes the current home tab with `notice` at the top. */
  show(caller: Caller, notice: readonly Card[]): Promise<void>;
  /** Runs the command as if typed in a direct message, and publishes the home tab with the answer at the top. */
  run(caller: Caller, input: CommandInput): Promise<void>;
}

export function createHomeTabs(parts: HomeParts): HomeTabs {
  const { commands, adminsOnly, workspaces, log } = parts;
  const mutex = createKeyedMutex();

  /** Handles a user's actions in order, so that the tab finally shows the result of the last action. */
  function runInOrder(caller: Caller, work: (connected: ConnectedWorkspace) => Promise<void>): Promise<void> {
    return mutex(`${caller.teamId}/${caller.userId}`, async () => {
      const connected = await workspaces.find(caller);
      if (connected !== null) await work(connected);
    });
  }

  async function publish(caller: Caller, connected: ConnectedWorkspace, notice: readonly Card[]): Promise<void> {
    const call = createCall(caller, connected, adminsOnly);
    const home = await parts.screens.home(call).catch((error: unknown) => {
      log.error("slack home failed", { error });
      return null;
    });
    const cards = home === null && notice.length === 0 ? [internalErrorCard()] : notice;
    const view = homeView(home, cards, parts.clock.now().toString(36));
    await connected.api.call("views.publish", { user_id: caller.userId, view }, z.unknown());
  }

  return {
    show: (caller, notice) => runInOrder(caller, (connected) => publish(caller, connected, notice)),
    run: (caller, input) =>
      runInOrder(caller, async (connected) => {
        const call = createCall(caller, connected, adminsOnly);
        await publish(caller, connected, (await commands.run(input, call)).cards);
      }),
  };
}

/** Publishes a home tab when it is opened. */
export function registerHomeTab(app: App, homeTabs: HomeTabs, background: Background): void {
  app.event("app_home_opened", async ({ body, event }) => {
    if (event.tab !== "home") return;
    const { teamId } = receiverOf(body);
    const caller = { teamId, homeId: null, userId: event.user, userName: "", channelId: null };
    background.run(() => homeTabs.show(caller, []));
  });
}

/** Runs the command lines of the elements that were used in a home tab. */
export function runHomeActions(payload: BlockActions, homeTabs: HomeTabs, background: Background): void {
  for (const action of payload.actions) {
    const commandLine = commandLineOf(action, payload.view?.state ?? { values: {} });
    if (commandLine !== null) background.run(() => homeTabs.run(callerOf(payload), commandText(commandLine)));
  }
}

/** Suggests the same values for a setting as the `settings` command; before anything is typed, also the default value. */
export function registerSettingOptions(app: App, { commands, workspaces, adminsOnly }: HomeParts): void {
  app.options(new RegExp(`^${HOME_ACTION.setting}`), async ({ body, ack }) => {
    const { value, action_id: actionId, ...actor } = blockSuggestion.parse(body);
    const caller = { ...actorOf(actor), channelId: null };
    const [name, connected] = [settingOfAction(actionId), await workspaces.find(caller)];
    if (connected === null || name === null) return ack({ options: [] });
    const call = createCall(caller, connected, adminsOnly);
    const suggestions = await commands.completeValue({ command: "settings", option: name, text: value }, call);
    const options = suggestions.map((suggestion) => option(suggestion.value, suggestion.value, suggestion.hint));
    await ack({ options: [...(value.trim() === "" ? [defaultOption(name)] : []), ...options] });
  });
}

function defaultOption(name: PortableSettingName): types.PlainTextOption {
  const { initial, option: definition } = SETTING_DEFINITIONS[name];
  return option(optionKind(definition).write(initial), `Default ${settingFormLabel(name).toLowerCase()}`);
}

const blockSuggestion = actorSchema.extend({ action_id: z.string(), value: z.string().default("") });
