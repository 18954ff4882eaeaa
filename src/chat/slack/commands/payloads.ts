import { z } from "zod";
import type { Caller } from "./caller.ts";

const selectedOption = z.object({ value: z.string() });

const elementState = z.object({
  value: z.string().nullish(),
  selected_option: selectedOption.nullish(),
  selected_options: z.array(selectedOption).nullish(),
  selected_time: z.string().nullish(),
});

/** Current input of a view: the state of each element, by block id and action id. */
export const viewState = z.object({ values: z.record(z.string(), z.record(z.string(), elementState)) });

export type ViewState = z.infer<typeof viewState>;
export type ElementState = z.infer<typeof elementState>;

/** Returns the state of the element with this action id, in any block. */
export function stateOf({ values }: ViewState, actionId: string): ElementState | undefined {
  for (const block of Object.values(values)) {
    if (block[actionId] !== undefined) return block[actionId];
  }
  return undefined;
}

export function selectedValues(state: ElementState | undefined): readonly string[] {
  const single = state?.selected_option ?? null;
  return [...(state?.selected_options ?? []), ...(single === null ? [] : [single])].map(({ value }) => value);
}

/** The user and workspace of an interaction. */
export const actorSchema = z.object({
  team: z.object({ id: z.string() }).nullish(),
  user: z.object({ id: z.string(), name: z.string().default(""), team_id: z.string().default("") }),
  view: z.object({ app_installed_team_id: z.string().nullish() }).nullish(),
});

/**
 * Returns the workspace in which the app is installed. For a form submitted in a shared channel, `team` is the workspace of the
 * user, and only the view names the workspace of the app.
 */
export function workspaceIdOf({ team, user, view }: z.infer<typeof actorSchema>): string {
  return view?.app_installed_team_id ?? team?.id ?? user.team_id;
}

const MAX_ACTIONS = 25;

/** A `block_actions` payload: a button press or input on a message or home tab. */
const blockActions = actorSchema.extend({
  trigger_id: z.string().default(""),
  response_url: z.string().optional(),
  container: z.object({
    /** Missing for a home tab. */
    channel_id: z.string().optional(),
    is_ephemeral: z.boolean().default(false),
    thread_ts: z.string().optional(),
  }),
  view: z.object({ app_installed_team_id: z.string().nullish(), state: viewState.nullish() }).nullish(),
  /** Slack sends one action per payload. */
  actions: z.array(elementState.extend({ action_id: z.string() })).max(MAX_ACTIONS),
});

export type BlockActions = z.infer<typeof blockActions>;

export function readBlockActions(body: unknown): BlockActions {
  return blockActions.parse(body);
}

export function callerOf(payload: Pick<BlockActions, "team" | "user" | "view" | "container">): Caller {
  const { user, container } = payload;
  return {
    teamId: workspaceIdOf(payload),
    userId: user.id,
    userName: user.name,
    channelId: container.channel_id ?? null,
  };
}

/** A slash command. */
export const slashCommand = z.object({
  text: z.string().default(""),
  team_id: z.string().default(""),
  user_id: z.string(),
  user_name: z.string().default(""),
  channel_id: z.string(),
});

/** Event of the app's removal. `event_time` is in seconds. */
export const removalEvent = z.object({ team_id: z.string(), event_time: z.number().default(0) });
