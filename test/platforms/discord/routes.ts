import { PermissionFlagsBits as Bits } from "discord.js";
import { refusals } from "./api-error.ts";
import type { Interactions } from "./interactions.ts";
import { isJson, type Json, type Message } from "./model.ts";
import { channelPayload, guildPayload, memberPayload, messagePayload, rolePayload, userPayload } from "./payloads.ts";
import { edit, type Posting } from "./posting.ts";
import type { BodyKind } from "./request-check.ts";
import { compareSnowflakes } from "./snowflake.ts";
import type { Guild, World } from "./world.ts";

export interface RouteParts {
  readonly world: World;
  readonly posting: Posting;
  readonly interactions: Interactions;
  readonly gatewayUrl: () => string;
  /** Recommended number of shards. */
  readonly shards: number;
  /** The global commands, as they were registered. */
  commands: readonly Json[];
}

export interface Asked {
  /** Ids in the path, in order. */
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface Route {
  readonly method: string;
  readonly path: RegExp;
  /** Interactions are authorized by their own token: no bot token, and exempt from the global limit. */
  readonly open?: boolean;
  readonly posting?: boolean;
  readonly body?: BodyKind;
  /** Returns the JSON of the answer; null: status 204. */
  run(parts: RouteParts, asked: Asked): unknown;
}

/** `*` matches an id or a token. */
function at(method: string, path: string, rest: Pick<Route, "run"> & Partial<Route>): Route {
  return { method, path: new RegExp(`^${path.replaceAll("*", "([^/]+)")}$`), ...rest };
}

export const ROUTES: readonly Route[] = [
  at("GET", "/gateway", { run: ({ gatewayUrl }) => ({ url: gatewayUrl() }) }),
  at("GET", "/gateway/bot", {
    run: ({ gatewayUrl, shards }) => ({
      url: gatewayUrl(),
      shards,
      session_start_limit: { total: 1_000, remaining: 999, reset_after: 86_400_000, max_concurrency: 1 },
    }),
  }),
  at("GET", "/users/@me", { run: ({ world }) => userPayload(world.bot) }),
  at("GET", "/users/@me/guilds", { run: ({ world }) => botGuilds(world).map(({ id, name }) => ({ id, name })) }),
  at("POST", "/users/@me/channels", { body: "private-channel", run: openDirectChannel }),
  at("GET", "/users/*", {
    run: ({ world }, { ids: [id = ""] }) => {
      const account = world.accounts.get(id);
      if (!account || account.deleted) throw refusals.unknownUser();
      return userPayload(account);
    },
  }),
  at("GET", "/applications/@me", { run: ({ world }) => applicationPayload(world) }),
  at("GET", "/oauth2/applications/@me", { run: ({ world }) => applicationPayload(world) }),
  at("GET", "/applications/*/commands", { run: ({ commands }) => commands }),
  at("PUT", "/applications/*/commands", { body: "commands", run: register }),
  at("POST", "/channels/*/messages", { body: "message", posting: true, run: postMessage }),
  at("GET", "/channels/*/messages", { run: listMessages }),
  at("GET", "/channels/*/messages/*", {
    run: ({ world }, { ids }) => messagePayload(world, existingMessage(world, ids)),
  }),
  at("PATCH", "/channels/*/messages/*", { body: "message-edit", run: editMessage }),
  at("GET", "/channels/*", { run: ({ world }, { ids: [id = ""] }) => channelPayload(world.readable(id)) }),
  at("GET", "/guilds/*", { run: ({ world }, { ids }) => guildPayload(world, botGuild(world, ids)) }),
  at("GET", "/guilds/*/channels", { run: ({ world }, { ids }) => guildPayload(world, botGuild(world, ids)).channels }),
  at("GET", "/guilds/*/roles", {
    run: ({ world }, { ids }) => [...botGuild(world, ids).roles.values()].map(rolePayload),
  }),
  at("GET", "/guilds/*/members/*", { run: readMember }),
  at("POST", "/interactions/*/*/callback", { open: true, body: "callback", run: callBack }),
  at("POST", "/webhooks/*/*", {
    open: true,
    body: "webhook-message",
    run: ({ world, interactions }, { ids: [, token = ""], body }) =>
      messagePayload(world, interactions.followUp(token, objectOf(body))),
  }),
  at("GET", "/webhooks/*/*/messages/@original", {
    open: true,
    run: ({ world, interactions }, { ids: [, token = ""] }) => messagePayload(world, interactions.original(token)),
  }),
  at("PATCH", "/webhooks/*/*/messages/@original", {
    open: true,
    body: "webhook-message",
    run: ({ world, interactions }, { ids: [, token = ""], body }) =>
      messagePayload(world, interactions.editOriginal(token, objectOf(body))),
  }),
  at("DELETE", "/webhooks/*/*/messages/@original", {
    open: true,
    run: ({ interactions }, { ids: [, token = ""] }) => {
      interactions.deleteOriginal(token);
      return null;
    },
  }),
  at("PATCH", "/webhooks/*/*/messages/*", {
    open: true,
    body: "webhook-message",
    run: ({ world, interactions }, { ids: [, token = "", id = ""], body }) => {
      const message = interactions.find(token, id);
      edit(message, objectOf(body));
      return messagePayload(world, message);
    },
  }),
];

function objectOf(body: unknown): Json {
  return isJson(body) ? body : {};
}

function applicationPayload({ bot }: World): Json {
  return {
    id: bot.id,
    name: bot.name,
    icon: null,
    description: "",
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: "0".repeat(64),
    flags: 0,
    bot: userPayload(bot),
    integration_types_config: { "0": {}, "1": {} },
  };
}

function register(parts: RouteParts, { body }: Asked): readonly Json[] {
  const { world } = parts;
  const version = world.nextId();
  const listed = Array.isArray(body) ? body.filter(isJson) : [];
  parts.commands = listed.map((command) => {
    const known = parts.commands.find(({ name }) => name === command.name);
    return { ...asStored(command), id: known?.id ?? world.nextId(), application_id: world.bot.id, version };
  });
  return parts.commands;
}

/** Discord adds missing fields and omits empty ones. */
function asStored(command: Json): Json {
  const filled = {
    type: 1,
    default_member_permissions: null,
    nsfw: false,
    integration_types: [0],
    contexts: null,
    dm_permission: true,
    name_localizations: null,
    description_localizations: null,
  };
  const { options } = command;
  return {
    ...filled,
    ...command,
    ...(Array.isArray(options) ? { options: options.filter(isJson).map(optionAsStored) } : {}),
  };
}

function optionAsStored({ required, autocomplete, options, ...option }: Json): Json {
  return {
    ...option,
    ...(required === true ? { required } : {}),
    ...(autocomplete === true ? { autocomplete } : {}),
    ...(Array.isArray(options) && options.length > 0 ? { options: options.filter(isJson).map(optionAsStored) } : {}),
  };
}

function openDirectChannel({ world }: RouteParts, { body }: Asked): Json {
  const account = world.accounts.get(String(objectOf(body).recipient_id));
  if (!account || account.deleted) throw refusals.unknownUser();
  return channelPayload(world.directChannel(account));
}

function postMessage({ world, posting }: RouteParts, { ids: [id = ""], body }: Asked): Json {
  const asked = objectOf(body);
  const hasEmbeds = Array.isArray(asked.embeds) && asked.embeds.length > 0;
  const message = posting.post(world.writable(id, hasEmbeds), asked, world.bot.id);
  return { ...messagePayload(world, message), ...(message.nonce === null ? {} : { nonce: message.nonce }) };
}

/** Newest first; empty if the bot may not read the history. */
function listMessages({ world }: RouteParts, { ids: [id = ""], query }: Asked): readonly Json[] {
  const channel = world.readable(id);
  const [before, after] = [query.get("before"), query.get("after")];
  const limit = Number(query.get("limit") ?? 50);
  if (!(limit >= 1 && limit <= 100)) throw refusals.invalidForm([`limit: ${limit}, 1 to 100`]);
  if (!world.botMay(channel, Bits.ReadMessageHistory)) return [];
  const within = channel.messages
    .toSorted((a, b) => compareSnowflakes(a.id, b.id))
    .filter((message) => before === null || compareSnowflakes(message.id, before) < 0)
    .filter((message) => after === null || compareSnowflakes(message.id, after) > 0);
  const page = after === null ? within.slice(-limit) : within.slice(0, limit);
  return page.toReversed().map((message) => messagePayload(world, message));
}

function existingMessage(world: World, [channelId = "", id]: readonly string[]): Message {
  const found = world.readable(channelId).messages.find((message) => message.id === id);
  if (!found) throw refusals.unknownMessage();
  return found;
}

function editMessage({ world }: RouteParts, { ids, body }: Asked): Json {
  const message = existingMessage(world, ids);
  if (message.authorId !== world.bot.id) throw refusals.missingPermissions();
  edit(message, objectOf(body));
  return messagePayload(world, message);
}

function botGuilds(world: World): readonly Guild[] {
  return [...world.guilds.values()].filter(({ members }) => members.has(world.bot.id));
}

function botGuild(world: World, [id = ""]: readonly string[]): Guild {
  const guild = world.guilds.get(id);
  if (!guild) throw refusals.unknownGuild();
  if (!guild.members.has(world.bot.id)) throw refusals.missingAccess();
  return guild;
}

function readMember({ world }: RouteParts, { ids }: Asked): Json {
  const guild = botGuild(world, ids);
  const id = ids[1] === "@me" ? world.bot.id : (ids[1] ?? "");
  const account = world.accounts.get(id);
  if (!account || !guild.members.has(id)) throw refusals.unknownMember();
  return memberPayload(guild, account);
}

function callBack({ world, interactions }: RouteParts, { ids: [id, token = ""], query, body }: Asked): Json | null {
  const asked = objectOf(body);
  const message = interactions.callback(token, asked);
  if (query.get("with_response") !== "true") return null;
  return {
    interaction: { id, type: 2, response_message_id: message?.id ?? null },
    ...(message ? { resource: { type: asked.type, message: messagePayload(world, message) } } : {}),
  };
}
