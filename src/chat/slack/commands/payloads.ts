import { z } from "zod";
import type { Caller } from "./caller.ts";
import { viewState } from "./view-state.ts";

/** What Slack says of whoever presses, picks, enters or sends in something, and for which workspace. */
export const actorSchema = z.object({
  team: z.object({ id: z.string() }).nullish(),
  user: z.object({ id: z.string(), name: z.string().default(""), team_id: z.string().default("") }),
  view: z.object({ app_installed_team_id: z.string().nullish() }).nullish(),
});

/**
 * The workspace that splitwatch was asked in. In a channel that is shared with another workspace Slack names, with a form,
 * the workspace of whoever sends it in as the `team`: where the app is installed stands in the view.
 */
export function workspaceIdOf({ team, user, view }: z.infer<typeof actorSchema>): string {
  return view?.app_installed_team_id ?? team?.id ?? user.team_id;
}

/** What Slack sends when something is pressed, picked or entered, on a message or in somebody's home. */
const blockActions = actorSchema.extend({
  trigger_id: z.string().default(""),
  response_url: z.string().optional(),
  container: z.object({
    /** None in a home. */
    channel_id: z.string().optional(),
    is_ephemeral: z.boolean().default(false),
    thread_ts: z.string().optional(),
  }),
  view: z.object({ app_installed_team_id: z.string().nullish(), state: viewState.nullish() }).nullish(),
  actions: z.array(viewState.shape.values.valueType.valueType.extend({ action_id: z.string() })),
});

export type BlockActions = z.infer<typeof blockActions>;

export function readBlockActions(body: unknown): BlockActions {
  return blockActions.parse(body);
}

export function callerOf(press: Pick<BlockActions, "team" | "user" | "view" | "container">): Caller {
  const { user, container } = press;
  return {
    teamId: workspaceIdOf(press),
    userId: user.id,
    userName: user.name,
    channelId: container.channel_id ?? null,
  };
}
