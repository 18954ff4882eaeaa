import type { App } from "@slack/bolt";
import type { Destination } from "../../../domain/alert/destination.ts";
import { channelDestination, type Removal, type Workspaces } from "../workspace.ts";
import type { Background } from "./acknowledgement.ts";
import { channelEvent, receiverOf, removalEvent } from "./payloads.ts";

export interface AppEventParts {
  readonly workspaces: Pick<Workspaces, "find" | "handleRemoval">;
  readonly background: Background;
  /** Repeats work while the store fails: Slack reports an event once. */
  readonly untilSaved: (work: () => Promise<void>) => Promise<void>;
  /** Ends the pause of a destination: its waiting alerts are sent immediately. */
  readonly resume: (destination: Destination) => Promise<void>;
}

/** Handles events that change where the app can post. Bolt only acknowledges them. */
export function registerAppEvents(app: App, parts: AppEventParts): void {
  registerRemovals(app, parts);
  registerReturns(app, parts);
}

function registerRemovals(app: App, { workspaces, background, untilSaved }: AppEventParts): void {
  function handle(body: unknown, kind: Removal["kind"]): void {
    const { team_id: teamId, event_time: seconds } = removalEvent.parse(body);
    // Rounds up to the end of the second, so that the removal does not appear older than it is.
    const removal = { kind, at: seconds * 1_000 + 999 };
    background.run(() => untilSaved(() => workspaces.handleRemoval(teamId, removal)), "slack removal not saved");
  }

  app.event("app_uninstalled", async ({ body }) => handle(body, "uninstalled"));
  app.event("tokens_revoked", async ({ body, event }) => {
    // Ignores user tokens: splitwatch has only bot tokens.
    if ((event.tokens.bot ?? []).length > 0) handle(body, "revoked");
  });
}

/** Resumes a channel that invited the app again or was unarchived. Slack sends these events only with the optional scopes. */
function registerReturns(app: App, { workspaces, background, untilSaved, resume }: AppEventParts): void {
  function handle(
    body: unknown,
    event: unknown,
    isReturn: (user: string | null, botUserIds: readonly string[]) => boolean,
  ): void {
    const { teamId, botUserIds } = receiverOf(body);
    const { channel, user = null } = channelEvent.parse(event);
    if (!isReturn(user, botUserIds)) return;
    const resumeChannel = async (): Promise<void> => {
      const connected = await workspaces.find({ teamId, homeId: null, userId: user ?? "" });
      if (connected !== null) await resume(channelDestination(connected.workspace.teamId, channel));
    };
    background.run(() => untilSaved(resumeChannel), "slack channel not resumed");
  }

  app.event("member_joined_channel", async ({ body, event }) =>
    handle(body, event, (user, botUserIds) => user !== null && botUserIds.includes(user)),
  );
  app.event("channel_unarchive", async ({ body, event }) => handle(body, event, () => true));
  app.event("group_unarchive", async ({ body, event }) => handle(body, event, () => true));
}
