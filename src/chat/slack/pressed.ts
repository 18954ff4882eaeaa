import { z } from "zod";
import type { Asker } from "./asker.ts";
import { viewState } from "./view-state.ts";

/** What Slack sends when something is pressed, picked or entered, on a message or in somebody's home. */
const blockActions = z.object({
  team: z.object({ id: z.string() }).nullish(),
  user: z.object({ id: z.string(), name: z.string().default(""), team_id: z.string().default("") }),
  trigger_id: z.string().default(""),
  response_url: z.string().optional(),
  container: z.object({
    /** None in a home. */
    channel_id: z.string().optional(),
    is_ephemeral: z.boolean().default(false),
    thread_ts: z.string().optional(),
  }),
  view: z.object({ state: viewState.nullish() }).nullish(),
  actions: z.array(viewState.shape.values.valueType.valueType.extend({ action_id: z.string() })),
});

export type PressedActions = z.infer<typeof blockActions>;

export function readPress(body: unknown): PressedActions {
  return blockActions.parse(body);
}

export function askerOf({ team, user, container }: Pick<PressedActions, "team" | "user" | "container">): Asker {
  return {
    teamId: team?.id ?? user.team_id,
    userId: user.id,
    userName: user.name,
    channelId: container.channel_id ?? null,
  };
}
