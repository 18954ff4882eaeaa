import type { ResponseUrl } from "../server/response-urls.ts";
import { describeMessage } from "../server/shapes.ts";
import type { Json, SlackChannel, SlackMessage, SlackPerson, Workspace } from "../server/workspace.ts";
import type { ShownButton } from "./message-text.ts";

export interface InteractionParts {
  readonly workspace: Workspace;
  readonly person: SlackPerson;
  readonly channel: SlackChannel;
  readonly responseUrl: string;
  readonly triggerId: string;
  readonly at: number;
}

/** Payload of a slash command; every value is a string. */
export function slashCommand(text: string, parts: InteractionParts): Readonly<Record<string, string>> {
  const { workspace, person, channel } = parts;
  const names = { public: channel.name, private: "privategroup", direct: "directmessage" };
  return {
    token: "no-longer-used",
    team_id: person.typesIn ?? workspace.team.id,
    team_domain: workspace.team.domain,
    channel_id: channel.id,
    channel_name: names[channel.kind],
    user_id: person.id,
    user_name: person.name,
    command: "/splits",
    text,
    api_app_id: workspace.bot.appId,
    is_enterprise_install: "false",
    response_url: parts.responseUrl,
    trigger_id: parts.triggerId,
  };
}

/** Payload of a button press. Slack omits the message if it is ephemeral. */
export function blockActions(button: ShownButton, message: SlackMessage, parts: InteractionParts): Json {
  const { workspace, person, channel, responseUrl, triggerId } = parts;
  const { id, domain } = workspace.team;
  const ephemeral = message.onlyFor !== null;
  return {
    type: "block_actions",
    user: { id: person.id, username: person.name, name: person.name, team_id: person.homeTeam ?? id },
    api_app_id: workspace.bot.appId,
    token: "no-longer-used",
    container: {
      type: "message",
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: ephemeral,
      ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
    },
    trigger_id: triggerId,
    team: { id, domain },
    enterprise: null,
    is_enterprise_install: false,
    channel: { id: channel.id, name: channel.name },
    ...(ephemeral ? {} : { message: describeMessage(message, workspace, true) }),
    state: { values: {} },
    response_url: responseUrl,
    actions: [
      {
        action_id: button.actionId,
        block_id: button.blockId,
        text: { type: "plain_text", text: button.label, emoji: true },
        ...(button.value === null ? {} : { value: button.value }),
        ...(button.style === null ? {} : { style: button.style }),
        type: "button",
        action_ts: (parts.at / 1_000).toFixed(6),
      },
    ],
  };
}

/** A sent interaction, which a test can repeat. */
export interface Interaction {
  readonly kind: "slash_commands" | "interactive";
  readonly payload: Json;
  readonly url: ResponseUrl;
  readonly envelopeId: string;
}

/** Body of the signed request with the interaction. */
export function formBody({ kind, payload }: Interaction): string {
  const fields = kind === "slash_commands" ? (payload as Record<string, string>) : { payload: JSON.stringify(payload) };
  return new URLSearchParams(fields).toString();
}
