import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  type APIApplicationCommandInteractionDataBasicOption,
  type APIChatInputApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageComponentInteraction,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  Routes,
} from "discord.js";
import type { Answer, Call } from "../../commands/command.ts";
import { notShareableCard } from "../../messages/answers/problem-answer.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import type { PlatformParts } from "../platform-definition.ts";
import type { Api } from "./api.ts";
import { type DiscordMessage, withAttachments } from "./attachments.ts";
import { choicesOf, completionText } from "./autocomplete.ts";
import { callOf, isOwnConversation, type UserInteraction, userIdOf } from "./caller.ts";
import { COMMAND_NAME } from "./commands.ts";
import { parseButtonId } from "./components.ts";
import type { Direct } from "./direct.ts";
import { type Attachment, attachment, type Downloads } from "./download.ts";
import { renderAnswer, renderShared } from "./render.ts";
import { reply } from "./reply.ts";
import { commandTextOf, type TypedOption } from "./typed-command.ts";

export interface InteractionParts {
  readonly api: Api;
  readonly direct: Direct;
  readonly downloads: Pick<Downloads, "fetch">;
  readonly commands: PlatformParts["commands"];
  readonly store: Pick<Store, "watchlists" | "directChannels">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Answers what people type and press. Never rejects: what goes wrong is an answer, or a line in the log. */
export function answerInteraction(interaction: APIInteraction, parts: InteractionParts): Promise<void> {
  switch (interaction.type) {
    case InteractionType.ApplicationCommand:
      return isOurs(interaction) ? answerCommand(interaction, parts) : Promise.resolve();
    case InteractionType.ApplicationCommandAutocomplete:
      return completeOption(interaction, parts);
    case InteractionType.MessageComponent:
      return answerButton(interaction, parts);
    case InteractionType.Ping:
    case InteractionType.ModalSubmit:
      return Promise.resolve();
  }
}

function isOurs(asked: APIApplicationCommandInteraction): asked is APIChatInputApplicationCommandInteraction {
  return asked.data.type === ApplicationCommandType.ChatInput && asked.data.name === COMMAND_NAME;
}

async function answerCommand(asked: APIChatInputApplicationCommandInteraction, parts: InteractionParts): Promise<void> {
  const line = typedLine(asked, parts);
  await reply(asked, "private", answerTo(line, asked, parts), parts);
}

function typedLine({ data }: APIChatInputApplicationCommandInteraction, { commands }: InteractionParts): string {
  const subcommand = data.options?.find(({ type }) => type === ApplicationCommandOptionType.Subcommand);
  if (subcommand?.type !== ApplicationCommandOptionType.Subcommand) return "help";
  const command = commands.list.find(({ name }) => name === subcommand.name);
  return commandTextOf(command ?? { name: subcommand.name, options: {} }, (subcommand.options ?? []).map(typedOption));
}

function typedOption(option: APIApplicationCommandInteractionDataBasicOption): TypedOption {
  return { name: option.name, value: "value" in option ? option.value : "" };
}

async function answerButton(asked: APIMessageComponentInteraction, parts: InteractionParts): Promise<void> {
  const found = parseButtonId(asked.data.custom_id);
  const line = found?.line ?? "help";
  if (found?.action === "share") return reply(asked, "public", sharedAnswer(line, asked, parts), parts);
  const isPrivate = ((asked.message.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  // What others see is not turned over under their eyes.
  const manner = found?.action === "turn" && isPrivate ? "update" : "private";
  return reply(asked, manner, answerTo(line, asked, parts), parts);
}

async function answerTo(
  line: string,
  asked: UserInteraction,
  parts: InteractionParts,
): Promise<readonly DiscordMessage[]> {
  const call = callOf(asked);
  const file = attachmentOf(asked);
  const attached = file && { attached: () => parts.downloads.fetch(file) };
  const answer = await parts.commands.run(line, { ...call, ...attached });
  // Whoever has just been forgotten is not to be known again.
  if (!/^forget\b/.test(line)) void knowDirectChannel(asked, call, parts);
  return withAttachments(renderAnswer(answer, line), answer.cards, parts.log);
}

/** No command takes more than one. */
function attachmentOf({ data }: UserInteraction): Attachment | null {
  const resolved: object = "resolved" in data ? (data.resolved ?? {}) : {};
  const [first] = Object.values("attachments" in resolved ? (resolved.attachments ?? {}) : {});
  return first === undefined ? null : attachment.parse(first);
}

/** Asked anew: what all are shown is how things stand now, and what the one who shares it may see. */
async function sharedAnswer(
  line: string,
  asked: UserInteraction,
  { commands, log }: InteractionParts,
): Promise<readonly DiscordMessage[]> {
  const answer: Answer = await commands.runPublicly(line, callOf(asked));
  // All would see it: what is not for all is not even said to be wrong in its own words.
  const told = answer.shareable ? answer : { cards: [notShareableCard()], shareable: false };
  return withAttachments([renderShared(told, line, userIdOf(asked))], told.cards, log);
}

/** Whoever watches something is written to one day. Opening many conversations at that moment is what gets bots blocked. */
async function knowDirectChannel(asked: UserInteraction, { person }: Call, parts: InteractionParts): Promise<void> {
  const { store, direct, log } = parts;
  try {
    if ((await store.directChannels.of(person)) !== null) return;
    if (isOwnConversation(asked) && asked.channel) await store.directChannels.save(person, asked.channel.id);
    else if ((await store.watchlists.of(person)).length > 0) direct.prepare(person);
  } catch (error) {
    // It is opened when the first alert goes there.
    log.warn("discord conversation open failed", { error });
  }
}

async function completeOption(
  asked: APIApplicationCommandAutocompleteInteraction,
  parts: InteractionParts,
): Promise<void> {
  const { api, commands, log } = parts;
  try {
    const data = await completions(asked, commands);
    const body = { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data };
    await api.answer("post", Routes.interactionCallback(asked.id, asked.token), { body });
  } catch (error) {
    log.warn("discord reply failed", { error });
  }
}

async function completions(
  asked: APIApplicationCommandAutocompleteInteraction,
  commands: InteractionParts["commands"],
): Promise<ReturnType<typeof choicesOf>> {
  const [subcommand] = asked.data.options;
  if (subcommand?.type !== ApplicationCommandOptionType.Subcommand) return { choices: [] };
  const option = subcommand.options?.find((one) => "focused" in one && one.focused);
  if (!option || !("value" in option)) return { choices: [] };
  const command = commands.list.find(({ name }) => name === subcommand.name);
  const line = completionText(subcommand.name, option.name, String(option.value), command?.options[option.name]?.kind);
  return choicesOf(subcommand.name, option.name, await commands.complete(line, callOf(asked)));
}
