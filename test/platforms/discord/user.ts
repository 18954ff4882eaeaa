import { ChannelType, ApplicationCommandOptionType as OptionType } from "discord.js";
import type { Answer, Choice, Interaction } from "./interactions.ts";
import { asText, buttonsOf, isJson, type Json, type Message, objectsIn } from "./model.ts";
import { channelPayload, memberPayload, messagePayload, rolePayload, userPayload } from "./payloads.ts";
import type { Account, Channel, World } from "./world.ts";

/** Where a person types a command: a channel or thread, or the conversation with the bot. */
export type Where = Channel | "dm";

export interface UserParts {
  readonly world: World;
  readonly commands: () => readonly Json[];
  begin(parts: { type: number; channel: Channel; source: Message | null }): Interaction;
  dispatch(event: string, data: Json): void;
  answerTo(interaction: Interaction): Promise<Answer>;
}

const INTERACTION = { command: 2, component: 3, autocomplete: 4 } as const;

/** A person with a Discord client. Throws for everything that the client would not allow. */
export class DiscordUser {
  readonly account: Account;
  readonly #parts: UserParts;
  #files = 0;

  constructor(account: Account, parts: UserParts) {
    this.account = account;
    this.#parts = parts;
  }

  get id(): string {
    return this.account.id;
  }

  /** The person's direct messages with the bot. */
  get direct(): Channel {
    return this.#parts.world.directChannel(this.account);
  }

  /** Runs a command such as `/splits watch` with registered options. */
  async slash(line: string, options: Readonly<Record<string, unknown>>, where: Where): Promise<Answer> {
    const { command, path, specs } = this.#find(line, where);
    const missing = specs.filter(({ name, required }) => required === true && options[String(name)] === undefined);
    if (missing.length > 0)
      throw new Error(`${line}: the client asks for ${missing.map(({ name }) => name).join(", ")}`);
    const given = Object.entries(options).map(([name, value]) => this.#option(specs, { line, name, value, where }));
    const data = commandData(
      command,
      path,
      given.map(({ option }) => option),
    );
    return this.#do(INTERACTION.command, where, { ...data, resolved: resolvedOf(given) });
  }

  /** Choices offered while `typed` is the text of the option `name`. */
  async autocomplete(
    line: string,
    { name, typed, ...others }: { readonly name: string; readonly typed: string } & Readonly<Record<string, string>>,
    where: Where,
  ): Promise<readonly Choice[]> {
    const { command, path, specs } = this.#find(line, where);
    const spec = specs.find((each) => each.name === name);
    if (spec?.autocomplete !== true) throw new Error(`${line}: ${name} is not completed`);
    const before = Object.entries(others).map(([other, value]) =>
      this.#option(specs, { line, name: other, value, where }),
    );
    const focused = { name, type: spec.type, value: typed, focused: true };
    const options = [...before.map(({ option }) => option), focused];
    return (await this.#do(INTERACTION.autocomplete, where, commandData(command, path, options))).choices;
  }

  /** Presses the button with this label on a message that they see. */
  async press(message: Message, label: string, where: Where): Promise<Answer> {
    const button = buttonsOf(message).find((each) => each.label === label);
    const all = buttonsOf(message).map((each) => each.label);
    if (!button) throw new Error(`no button ${label} among ${all.join(", ")}`);
    if (button.customId === null || button.disabled) throw new Error(`the button ${label} cannot be pressed`);
    const data = { custom_id: button.customId, component_type: 2 };
    return this.#do(INTERACTION.component, where, data, message);
  }

  async #do(type: number, where: Where, data: Json, source: Message | null = null): Promise<Answer> {
    const channel = where === "dm" ? this.direct : where;
    const interaction = this.#parts.begin({ type, channel, source });
    this.#parts.dispatch("INTERACTION_CREATE", this.#payload(interaction, data));
    return this.#parts.answerTo(interaction);
  }

  #payload(interaction: Interaction, data: Json): Json {
    const { world } = this.#parts;
    const { id, token, type, channel, source } = interaction;
    const { guild } = channel;
    const allowed = guild ? world.permissionsOf(world.bot, guild, channel) : 0n;
    return {
      id,
      token,
      type,
      version: 1,
      application_id: world.bot.id,
      data,
      channel_id: channel.id,
      channel: channelPayload(channel),
      app_permissions: allowed.toString(),
      locale: "en-US",
      entitlements: [],
      attachment_size_limit: 10_485_760,
      authorizing_integration_owners: this.#owners(channel),
      context: guild ? 0 : 1,
      ...(guild ? this.#asMember(channel) : { user: userPayload(this.account) }),
      ...(source ? { message: messagePayload(world, source) } : {}),
    };
  }

  #asMember(channel: Channel): Json {
    const { guild } = channel;
    if (!guild) return {};
    const permissions = this.#parts.world.permissionsOf(this.account, guild, channel).toString();
    return {
      guild_id: guild.id,
      guild: { id: guild.id, locale: "en-US", features: [] },
      guild_locale: "en-US",
      member: { ...memberPayload(guild, this.account), permissions },
    };
  }

  /** Installations that make the app available: of the guild, of the person, or both. */
  #owners({ guild }: Channel): Json {
    const { world } = this.#parts;
    const byPerson = this.account.installedApp ? { "1": this.account.id } : {};
    if (guild) return { ...(guild.members.has(world.bot.id) ? { "0": guild.id } : {}), ...byPerson };
    return { ...(world.shareGuild(this.account) ? { "0": "0" } : {}), ...byPerson };
  }

  #find(line: string, where: Where): { command: Json; path: readonly Json[]; specs: readonly Json[] } {
    const [name = "", ...rest] = line.replace(/^\//, "").split(" ");
    const command = this.#parts.commands().find((each) => each.name === name);
    if (!command) throw new Error(`/${name} is not registered`);
    this.#refuseElsewhere(command, where);
    const path: Json[] = [];
    let level = command;
    for (const word of rest) {
      const inner = objectsIn(level.options).find((option) => option.name === word && Number(option.type) <= 2);
      if (!inner) throw new Error(`/${name} has no ${word}`);
      path.push(inner);
      level = inner;
    }
    return { command, path, specs: objectsIn(level.options) };
  }

  /** A client shows a command only in its registered contexts and where the app is installed. */
  #refuseElsewhere({ name, contexts, integration_types: types }: Json, where: Where): void {
    const channel = where === "dm" ? this.direct : where;
    const context = channel.type === ChannelType.DM ? 1 : 0;
    if (Array.isArray(contexts) && !contexts.includes(context)) throw new Error(`/${String(name)} is not offered here`);
    const owners = Object.keys(this.#owners(channel)).map(Number);
    if (!owners.some((owner) => Array.isArray(types) && types.includes(owner))) {
      throw new Error(`/${String(name)} is not installed here`);
    }
  }

  #option(
    specs: readonly Json[],
    { line, name, value, where }: { line: string; name: string; value: unknown; where: Where },
  ): Given {
    const spec = specs.find((each) => each.name === name);
    if (!spec) throw new Error(`${line} has no option ${name}`);
    const choices = objectsIn(spec.choices);
    if (choices.length > 0 && !choices.some((choice) => choice.value === value)) {
      throw new Error(`${line}: ${String(value)} is not among the choices of ${name}`);
    }
    const type: OptionType = Number(spec.type);
    if (type === OptionType.Attachment) return this.#attached(name, value);
    const expectedType = type === OptionType.Integer || type === OptionType.Number ? "number" : "string";
    if (type === OptionType.Boolean ? typeof value !== "boolean" : typeof value !== expectedType) {
      throw new Error(`${line}: ${String(value)} is not a value of ${name}, which is of type ${type}`);
    }
    return { option: { name, type, value }, ...this.#referenced(type, String(value), where) };
  }

  /** The client uploads the file, and the option refers to it by its id. */
  #attached(name: string, value: unknown): Given {
    if (!isAttachment(value)) throw new Error(`${name} takes a file`);
    const id = String(BigInt(this.account.id) + BigInt(this.#files++) + 1n);
    const attachment = { id, content_type: "text/plain", ephemeral: true, proxy_url: value.url, ...value };
    return { option: { name, type: OptionType.Attachment, value: id }, attachment };
  }

  /** Role or account with this id, if the type of the option accepts it. */
  #referenced(type: OptionType, id: string, where: Where): Omit<Given, "option"> {
    const { world } = this.#parts;
    const takesRoles = type === OptionType.Role || type === OptionType.Mentionable;
    const role = where === "dm" || !takesRoles ? undefined : where.guild?.roles.get(id);
    const takesAccounts = type === OptionType.User || type === OptionType.Mentionable;
    const account = takesAccounts ? world.accounts.get(id) : undefined;
    return { ...(role ? { role: rolePayload(role, 0) } : {}), ...(account ? { user: userPayload(account) } : {}) };
  }
}

interface Given {
  readonly option: Json;
  readonly role?: Json;
  readonly user?: Json;
  readonly attachment?: Json;
}

/** A file that a person attaches, with its address after the upload. */
export interface PickedFile {
  readonly filename: string;
  readonly size: number;
  readonly url: string;
}

function isAttachment(value: unknown): value is PickedFile {
  return isJson(value) && "filename" in value && "url" in value && "size" in value;
}

function commandData(command: Json, path: readonly Json[], given: readonly Json[]): Json {
  let options = given;
  for (const { name, type } of path.toReversed()) options = [{ name, type, options }];
  return { id: command.id, name: command.name, type: 1, options };
}

function resolvedOf(given: readonly Given[]): Json {
  const roles = byId(given.map(({ role }) => role));
  const users = byId(given.map(({ user }) => user));
  const attachments = byId(given.map(({ attachment }) => attachment));
  return {
    ...(Object.keys(attachments).length > 0 ? { attachments } : {}),
    ...(Object.keys(roles).length > 0 ? { roles } : {}),
    ...(Object.keys(users).length > 0 ? { users } : {}),
  };
}

function byId(found: readonly (Json | undefined)[]): Json {
  return Object.fromEntries(found.filter(isJson).map((each) => [asText(each.id), each]));
}
