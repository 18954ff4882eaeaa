import type { App, types } from "@slack/bolt";
import { z } from "zod";
import type { Screens } from "../../../commands/screens.ts";
import { createKeyedMutex } from "../../../lib/mutex.ts";
import { internalErrorCard } from "../../../messages/answers/problem-answer.ts";
import type { Card } from "../../../messages/message.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { AnswerParts } from "../commands/answer.ts";
import { type Caller, createCall } from "../commands/caller.ts";
import { commandText } from "../commands/command-text.ts";
import { actorSchema, type BlockActions, callerOf, workspaceIdOf } from "../commands/payloads.ts";
import type { ConnectedWorkspace, Workspaces } from "../workspaces.ts";
import { HOME_ACTION, lineOfAction } from "./actions.ts";
import { homeView } from "./view.ts";
import { option } from "./view-blocks.ts";

export interface HomeParts extends Pick<AnswerParts, "commands" | "adminsOnly" | "log"> {
  readonly views: Pick<Screens, "home">;
  readonly workspaces: Pick<Workspaces, "find">;
  readonly clock: Clock;
}

/** The page that each person has under the app's name. */
export interface HomeTabs {
  /** As it stands now, under what is to be noticed first. */
  show(asker: Caller, notice: readonly Card[]): Promise<void>;
  /** Runs the line as if it were typed in a direct message, and shows the home under what it answers. */
  run(asker: Caller, line: string): Promise<void>;
}

export function createHomeTabs(parts: HomeParts): HomeTabs {
  const { commands, adminsOnly, workspaces, log } = parts;
  const inTurn = createKeyedMutex();

  /** Somebody who presses twice sees what came of the second press last. */
  function turn(asker: Caller, work: (presence: ConnectedWorkspace) => Promise<void>): Promise<void> {
    return inTurn(`${asker.teamId}/${asker.userId}`, async () => {
      const presence = await workspaces.find(asker.teamId);
      if (presence !== null) await work(presence);
    });
  }

  async function publish(asker: Caller, presence: ConnectedWorkspace, notice: readonly Card[]): Promise<void> {
    const call = await createCall("", asker, presence, { commands: commands.list, adminsOnly });
    const home = await parts.views.home(call).catch((error: unknown) => {
      log.error("slack home failed", { error });
      return null;
    });
    const cards = home === null && notice.length === 0 ? [internalErrorCard()] : notice;
    const view = homeView(home, cards, parts.clock.now().toString(36));
    await presence.api.call("views.publish", { user_id: asker.userId, view }, z.unknown());
  }

  return {
    show: (asker, notice) => turn(asker, (presence) => publish(asker, presence, notice)),
    run: (asker, line) =>
      turn(asker, async (presence) => {
        const call = await createCall(line, asker, presence, { commands: commands.list, adminsOnly });
        await publish(asker, presence, (await commands.run(line, call)).cards);
      }),
  };
}

type Work = (doing: () => Promise<void>) => void;

/** Publishes a home when it is opened. */
export function registerHomeTab(app: App, homes: HomeTabs, work: Work): void {
  app.event("app_home_opened", async ({ body, event }) => {
    if (event.tab !== "home") return;
    const asker = { teamId: body.team_id, userId: event.user, userName: "", channelId: null };
    work(() => homes.show(asker, []));
  });
}

/** What is pressed, picked and entered in a home is a line that is run there. */
export function runHomeActions(press: BlockActions, homes: HomeTabs, work: Work): void {
  for (const action of press.actions) {
    const line = lineOfAction(action, press.view?.state ?? { values: {} });
    if (line !== null) work(() => homes.run(callerOf(press), commandText(line)));
  }
}

/** The zones that what is being typed may mean, as the commands complete it. */
export function registerTimezoneOptions(app: App, { commands, workspaces, adminsOnly }: HomeParts): void {
  app.options(HOME_ACTION.timezone, async ({ body, ack }) => {
    const { value, ...actor } = asked.parse(body);
    const asker = { teamId: workspaceIdOf(actor), userId: actor.user.id, userName: actor.user.name, channelId: null };
    const presence = await workspaces.find(asker.teamId);
    if (presence === null) return ack({ options: [] });
    const call = await createCall("settings", asker, presence, { commands: commands.list, adminsOnly });
    const typed = value.trim().replace(/\s+/g, "_");
    const found = await commands.complete(`settings timezone:${typed}`, call);
    const usual = typed === "" ? [option("default", "The usual one")] : [];
    const options: types.PlainTextOption[] = found.map(({ label, hint }) => option(label, label, hint));
    await ack({ options: [...usual, ...options] });
  });
}

const asked = actorSchema.extend({ value: z.string().default("") });
