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
 * Returns the user, with the workspace in which the app is installed. For a form submitted in a shared channel, `team` is the
 * workspace of the user, and only the view names the workspace of the app; for a button, `user.team_id` is that of the user.
 */
export function actorOf({ team, user, view }: z.infer<typeof actorSchema>): Omit<Caller, "channelId"> {
  return {
    teamId: view?.app_installed_team_id ?? team?.id ?? user.team_id,
    homeId: user.team_id === "" ? null : user.team_id,
    userId: user.id,
    userName: user.name,
  };
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
  return { ...actorOf(payload), channelId: payload.container.channel_id ?? null };
}

/** A slash command. */
export const slashCommand = z.object({
  text: z.string().default(""),
  team_id: z.string().default(""),
  user_id: z.string(),
  user_name: z.string().default(""),
  channel_id: z.string(),
  /** `privategroup` for a private channel. */
  channel_name: z.string().default(""),
  team_domain: z.string().default(""),
});

const eventBody = z.object({
  team_id: z.string(),
  authorizations: z.array(z.object({ team_id: z.string().nullish(), user_id: z.string().nullish() })).default([]),
});

/**
 * Returns the workspace in which the app received an event, and the app's users there. In a channel that another workspace shared,
 * `team_id` is that workspace, and only the authorization names the workspace of the app.
 */
export function receiverOf(body: unknown): { readonly teamId: string; readonly botUserIds: readonly string[] } {
  const { team_id: teamId, authorizations } = eventBody.parse(body);
  return {
    teamId: authorizations[0]?.team_id ?? teamId,
    botUserIds: authorizations.flatMap(({ user_id: userId }) => userId ?? []),
  };
}

/** Event of a channel: somebody joined it, or it was unarchived. */
export const channelEvent = z.object({ channel: z.string(), user: z.string().nullish() });

/** Event of the app's removal. `event_time` is in seconds. */
export const removalEvent = z.object({ team_id: z.string(), event_time: z.number().default(0) });
