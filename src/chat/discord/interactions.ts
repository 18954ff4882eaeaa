import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  type APIChatInputApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageComponentInteraction,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  PermissionFlagsBits,
  Routes,
} from "discord.js";
import { type Call, type CallNames, type CommandInput, type Mention, repeatableLine } from "../../commands/command.ts";
import { destinationKey } from "../../domain/alert/destination.ts";
import { notShareableCard } from "../../messages/answers/problem-answer.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import type { PlatformParts } from "../platform-definition.ts";
import type { IsNew } from "../replay-guard.ts";
import type { Api } from "./api.ts";
import { type Attachment, type AttachmentDownloader, attachmentSchema } from "./attachment-download.ts";
import { channelOf, personOf } from "./destinations.ts";
import type { DirectChannelOpener } from "./direct-channels.ts";
import type { GuildNames } from "./guild-names.ts";
import { type DiscordMessage, withAttachments } from "./message-files.ts";
import { parseButtonId, renderAnswer, renderShared } from "./render.ts";
import { isAcknowledged, type ReplyMode, reply } from "./reply.ts";
import { COMMAND_NAME, choicesOf, HINTS, structuredCommandOf } from "./slash-command.ts";

export interface InteractionParts {
  readonly api: Api;
  readonly directChannels: DirectChannelOpener;
  readonly downloads: Pick<AttachmentDownloader, "fetch">;
  readonly commands: PlatformParts["commands"];
  /** Returns false if this or another process has received the interaction before: shards of two processes may overlap. */
  readonly isNew: IsNew;
  readonly store: Pick<Store, "watchlists" | "directChannels">;
  readonly guildNames: Pick<GuildNames, "of">;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the retries of answers. */
  readonly signal: AbortSignal;
}

/** Interactions that splitwatch answers. */
type UserInteraction =
  | APIChatInputApplicationCommandInteraction
  | APIApplicationCommandAutocompleteInteraction
  | APIMessageComponentInteraction;

/** Answers commands, buttons and autocompletion. Never rejects: failures become an answer or a log line. */
export async function answerInteraction(interaction: APIInteraction, parts: InteractionParts): Promise<void> {
  try {
    await dispatch(interaction, parts);
  } catch (error) {
    parts.log.warn("discord interaction invalid", { error });
  }
}

function dispatch(interaction: APIInteraction, parts: InteractionParts): Promise<void> {
  switch (interaction.type) {
    case InteractionType.ApplicationCommand:
      return isSlashCommand(interaction) ? answerCommand(interaction, parts) : Promise.resolve();
    case InteractionType.ApplicationCommandAutocomplete:
      return completeOption(interaction, parts);
    case InteractionType.MessageComponent:
      return answerButton(interaction, parts);
    case InteractionType.Ping:
    case InteractionType.ModalSubmit:
      return Promise.resolve();
  }
}

function isSlashCommand(
  interaction: APIApplicationCommandInteraction,
): interaction is APIChatInputApplicationCommandInteraction {
  return interaction.data.type === ApplicationCommandType.ChatInput && interaction.data.name === COMMAND_NAME;
}

async function answerCommand(
  interaction: APIChatInputApplicationCommandInteraction,
  parts: InteractionParts,
): Promise<void> {
  const command = structuredCommandOf(interaction);
  await replyOnce(interaction, "private", () => runCommand(command, interaction, parts), parts);
}

async function answerButton(interaction: APIMessageComponentInteraction, parts: InteractionParts): Promise<void> {
  const button = parseButtonId(interaction.data.custom_id);
  const commandLine = button?.commandLine ?? "help";
  if (button?.action === "share")
    return replyOnce(interaction, "public", () => shareAnswer(commandLine, interaction, parts), parts);
  const isPrivate = ((interaction.message.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  // Public messages are not replaced: other people may be reading them.
  const mode = button?.action === "replace" && isPrivate ? "update" : "private";
  return replyOnce(interaction, mode, () => runCommand(commandLine, interaction, parts), parts);
}

/** Replies with the result of `work`. Does nothing if the interaction was received before. */
function replyOnce(
  interaction: UserInteraction,
  mode: ReplyMode,
  work: () => Promise<readonly DiscordMessage[]>,
  parts: InteractionParts,
): Promise<void> {
  const messages = parts.isNew([interaction.id]).then((isNew) => (isNew ? work() : []));
  return reply(interaction, mode, messages, parts);
}

async function runCommand(
  input: CommandInput,
  interaction: UserInteraction,
  parts: InteractionParts,
): Promise<readonly DiscordMessage[]> {
  const call = callOf(interaction, parts);
  const file = attachmentOf(interaction);
  const attached: Pick<Call, "fetchAttachment"> = file ? { fetchAttachment: () => parts.downloads.fetch(file) } : {};
  const answer = await parts.commands.run(input, { ...call, ...attached });
  // `forget` has deleted the person's data, including the direct channel.
  if (answer.command?.name !== "forget") void saveDirectChannel(interaction, call, parts);
  return withAttachments(renderAnswer(answer, repeatableLine(input, answer)), answer.cards, parts.log);
}

/** Returns the first attachment: no command has several file options. */
function attachmentOf({ data }: UserInteraction): Attachment | null {
  const resolved: object = "resolved" in data ? (data.resolved ?? {}) : {};
  const [first] = Object.values("attachments" in resolved ? (resolved.attachments ?? {}) : {});
  return first === undefined ? null : attachmentSchema.parse(first);
}

/** Runs the command again, so that the shared answer is current and contains only data that the person may see. */
async function shareAnswer(
  commandLine: string,
  interaction: UserInteraction,
  parts: InteractionParts,
): Promise<readonly DiscordMessage[]> {
  const { commands, log } = parts;
  const answer = await commands.runPublicly(commandLine, callOf(interaction, parts));
  // A private answer must not appear in the channel, not even as an error that quotes the command.
  const shareableAnswer =
    answer.shareable || answer.isOverLimit === true ? answer : { cards: [notShareableCard()], shareable: false };
  return withAttachments(
    [renderShared(shareableAnswer, commandLine, userIdOf(interaction))],
    shareableAnswer.cards,
    log,
  );
}

/** Stores or opens the direct channel ahead of the first alert: opening many channels in a short time gets bots blocked. */
async function saveDirectChannel(
  interaction: UserInteraction,
  { person }: Call,
  { store, directChannels, log }: InteractionParts,
): Promise<void> {
  try {
    if ((await store.directChannels.find(destinationKey(person))) !== null) return;
    if (isBotDirectMessage(interaction) && interaction.channel)
      await store.directChannels.put({ person, channelId: interaction.channel.id });
    else if ((await store.watchlists.of(person)).length > 0) directChannels.openLater(person);
  } catch (error) {
    log.warn("discord direct message open failed", { error });
  }
}

async function completeOption(
  interaction: APIApplicationCommandAutocompleteInteraction,
  parts: InteractionParts,
): Promise<void> {
  const { api, log } = parts;
  try {
    const data = await completionChoices(interaction, parts);
    const body = { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data };
    await api.answer("post", Routes.interactionCallback(interaction.id, interaction.token), { body });
  } catch (error) {
    // Both processes that connect a shard answer.
    if (!isAcknowledged(error)) log.warn("discord reply failed", { error });
  }
}

async function completionChoices(
  interaction: APIApplicationCommandAutocompleteInteraction,
  parts: Pick<InteractionParts, "commands" | "guildNames">,
): Promise<ReturnType<typeof choicesOf>> {
  const [subcommand] = interaction.data.options;
  if (subcommand?.type !== ApplicationCommandOptionType.Subcommand) return { choices: [] };
  const option = subcommand.options?.find((candidate) => "focused" in candidate && candidate.focused);
  if (!option || !("value" in option)) return { choices: [] };
  const partialOption = { command: subcommand.name, option: option.name, text: String(option.value) };
  return choicesOf(await parts.commands.completeValue(partialOption, callOf(interaction, parts)));
}

const NOT_IN_SERVER =
  "splitwatch answers here because you added it to your account, but it isn't in this server, so it can't post alerts. Ask someone with Manage Server to add it.";
const NOT_IN_GROUP_MESSAGE = "splitwatch isn't part of this conversation, so it can't post alerts here.";
const NOT_MANAGER = "You need the Manage Server permission to change a channel's rules and settings.";
const NOT_A_ROLE = "Pick a role. Nothing else can be mentioned.";
const NOT_EVERYONE = "A rule can't mention everyone.";
const NOT_MENTIONABLE =
  "You can't mention this role: it must be mentionable by anyone, or you need the Mention Everyone permission.";

/** Person, destination and permissions at the time of the interaction. */
function callOf(interaction: UserInteraction, parts: Pick<InteractionParts, "guildNames">): Call {
  const person = personOf(userIdOf(interaction));
  const common = {
    person,
    hints: HINTS,
    resolveMention: async (text: string) => resolveMention(text, interaction),
    readNames: async () => namesIn(interaction, parts),
  };
  if (isBotDirectMessage(interaction)) return { ...common, destination: person, mayManage: async () => true };
  const destination = channelOf(interaction.guild_id ?? null, interaction.channel?.id ?? "");
  return { ...common, destination, mayManage: async () => mayManage(interaction) };
}

function namesIn(
  { guild_id: guildId, member, user, channel }: UserInteraction,
  { guildNames }: Pick<InteractionParts, "guildNames">,
): CallNames {
  const { username = null } = member?.user ?? user ?? {};
  const name = channel !== undefined && "name" in channel ? (channel.name ?? null) : null;
  return { person: username, channel: name, place: guildId === undefined ? null : guildNames.of(guildId) };
}

function userIdOf({ member, user }: UserInteraction): string {
  return (member?.user ?? user)?.id ?? "";
}

/** True for a direct message to the bot. */
function isBotDirectMessage({ guild_id, context }: UserInteraction): boolean {
  return guild_id === undefined && context !== InteractionContextType.PrivateChannel;
}

function mayManage({ guild_id, member, authorizing_integration_owners: owners }: UserInteraction): true | string {
  if (guild_id === undefined) return NOT_IN_GROUP_MESSAGE;
  const { GuildInstall, UserInstall } = ApplicationIntegrationType;
  if (owners[GuildInstall] === undefined && owners[UserInstall] !== undefined) return NOT_IN_SERVER;
  return hasPermission(member?.permissions, PermissionFlagsBits.ManageGuild) || NOT_MANAGER;
}

function resolveMention(text: string, { guild_id, data, member }: UserInteraction): Mention {
  const [, id] = /^<@&(\d{1,20})>$/.exec(text.trim()) ?? [];
  if (id === undefined) return { kind: "refused", reason: NOT_A_ROLE };
  // The role @everyone has the ID of the server.
  if (id === guild_id) return { kind: "refused", reason: NOT_EVERYONE };
  const role = "resolved" in data ? rolesIn(data.resolved)[id] : undefined;
  if (!role) return { kind: "refused", reason: NOT_A_ROLE };
  const isAllowed = role.mentionable || hasPermission(member?.permissions, PermissionFlagsBits.MentionEveryone);
  return isAllowed ? { kind: "allowed", mention: `<@&${id}>` } : { kind: "refused", reason: NOT_MENTIONABLE };
}

type Roles = Readonly<Record<string, { readonly mentionable: boolean } | undefined>>;

function rolesIn(resolved: object | undefined): Roles {
  const roles: unknown = resolved !== undefined && "roles" in resolved ? resolved.roles : {};
  return (roles ?? {}) as Roles;
}

function hasPermission(permissions: string | undefined, flag: bigint): boolean {
  return (BigInt(permissions ?? "0") & (flag | PermissionFlagsBits.Administrator)) !== 0n;
}
