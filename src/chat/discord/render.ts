import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIEmbed,
  ButtonStyle,
  ComponentType,
} from "discord.js";
import type { Answer } from "../../commands/command.ts";
import { cutText, sanitizeText } from "../../lib/external-text.ts";
import { type Button, button, type Card } from "../../messages/message.ts";
import type { Outgoing, Rendered } from "../../ports/chat-platform.ts";
import { embedOf, embedWithin, sizeOf } from "./embed.ts";
import { escapedText, MAX_LENGTH } from "./markdown.ts";

/** Body of a message, without the fields that are added when it is sent. */
export interface DiscordBody {
  readonly content?: string;
  readonly embeds: readonly APIEmbed[];
  readonly components: readonly Row[];
  readonly allowed_mentions: AllowedMentions;
}

interface AllowedMentions {
  readonly parse: readonly [];
  readonly roles?: readonly string[];
  readonly users?: readonly string[];
}

const MAX_EMBEDS = 10;
const MAX_MENTIONS = 20;
/** Length of the text beside an alert's embed, which notifications show. */
const MAX_HEADLINE_LENGTH = 300;
const MAX_SUBJECT_LENGTH = 12;
/** Longer answers are cut. */
const MAX_MESSAGES = 4;

/** Renders an alert. Its text, which phones show in notifications, has the mentions and a headline. */
export function renderMessage({ messageId, cards, mentions }: Outgoing): Rendered & { readonly body: DiscordBody } {
  const embeds = embedsOf(cards, messageId);
  const carried = cards.slice(0, embeds.length);
  const mentioned = mentions.filter((mention) => MENTION.test(mention)).slice(0, MAX_MENTIONS);
  const body = {
    content: [...mentioned, headlineOf(carried)].join(" ").slice(0, MAX_LENGTH.content),
    embeds,
    components: rowsOf(carried.map((card) => buttonsOf(card, "answer", carried.length > 1))),
    allowed_mentions: allowed(mentioned),
  };
  return { body, carried: carried.length };
}

/** Renders the private answer to a command, in up to MAX_MESSAGES messages. */
export function renderAnswer({ cards, shareable }: Answer, line: string): readonly DiscordBody[] {
  const bodies: DiscordBody[] = [];
  for (let remaining = cards; remaining.length > 0 && bodies.length < MAX_MESSAGES; ) {
    const embeds = embedsOf(remaining, null);
    const carried = remaining.slice(0, embeds.length);
    remaining = remaining.slice(embeds.length);
    const share = shareable && remaining.length === 0 ? buttonOf("share", button("Share", line)) : null;
    const groups = carried.map((card) => answerButtons(card, line, carried.length > 1));
    bodies.push({ embeds, components: rowsOf(share ? [...groups, [share]] : groups), allowed_mentions: allowed([]) });
  }
  return bodies;
}

/** Renders an answer that a person shares with the channel. */
export function renderShared({ cards }: Answer, line: string, sharedBy: string): DiscordBody {
  const embeds = embedsOf(cards, null);
  const carried = cards.slice(0, embeds.length);
  return {
    content: `<@${sharedBy}> shares ${escapedText(`/splits ${line}`, MAX_HEADLINE_LENGTH)}`,
    embeds,
    components: rowsOf(carried.map((card) => buttonsOf(card, "answer", carried.length > 1))),
    allowed_mentions: allowed([]),
  };
}

/** Embeds of as many leading cards as fit into one message; the first card always fits. */
function embedsOf(cards: readonly Card[], messageId: string | null): readonly APIEmbed[] {
  const [first, ...others] = cards.slice(0, MAX_EMBEDS);
  if (!first) return [];
  const embeds = [embedWithin(first, messageId, MAX_LENGTH.embeds)];
  let size = embeds.map(sizeOf).at(0) ?? 0;
  for (const card of others) {
    const embed = embedOf(card, messageId);
    size += sizeOf(embed);
    if (size > MAX_LENGTH.embeds) break;
    embeds.push(embed);
  }
  return embeds;
}

function headlineOf(cards: readonly Card[]): string {
  const [first] = cards;
  if (!first) return "";
  const badges = first.badges.map((badge) => sanitizeText(badge).trim()).filter((badge) => badge !== "");
  const headline = escapedText(
    [...badges.map((badge) => `${badge}:`), first.title].join(" ").replace(/\s+/g, " "),
    MAX_HEADLINE_LENGTH,
  );
  const more = cards.length - 1;
  return more === 0 ? headline : `${headline} (and ${more} more)`;
}

/** Mention of a person or a role. Nothing else may notify anyone. */
const MENTION = /^<@(&?)(\d{1,20})>$/;

function allowed(mentions: readonly string[]): AllowedMentions {
  const idsOf = (kind: string): readonly string[] =>
    mentions.flatMap((mention) => {
      const [, found, id] = MENTION.exec(mention) ?? [];
      return found === kind && id !== undefined ? [id] : [];
    });
  const [roles, users] = [idsOf("&"), idsOf("")];
  return { parse: [], ...(roles.length > 0 ? { roles } : {}), ...(users.length > 0 ? { users } : {}) };
}

/** Buttons of the same command, such as paging, replace the message; others answer below it. */
function answerButtons(card: Card, line: string, isOneOfMany: boolean): ReturnType<typeof buttonsOf> {
  const name = commandName(line);
  const groups = card.buttons.map((one) =>
    buttonsOf({ ...card, buttons: [one] }, commandName(one.command) === name ? "replace" : "answer", isOneOfMany),
  );
  return groups.flat();
}

function commandName(line: string): string {
  return /^\S*/.exec(line.trim())?.[0]?.toLowerCase() ?? "";
}

function buttonsOf(
  { buttons }: Card,
  action: Action,
  isOneOfMany: boolean,
): NonNullable<ReturnType<typeof buttonOf>>[] {
  return buttons.flatMap((one) => buttonOf(action, isOneOfMany ? withSubject(one) : one) ?? []);
}

/** Adds the ticker to a label: next to several cards `Details` alone is ambiguous. */
function withSubject(one: Button): Button {
  const subject = one.command.replace(/^\S+\s*/, "");
  const isClear = subject === "" || subject.length > MAX_SUBJECT_LENGTH || one.label.includes(subject);
  return isClear ? one : { ...one, label: `${one.label} ${subject}` };
}

type Row = APIActionRowComponent<APIButtonComponentWithCustomId>;

/** Effect of a button. `answer`: answers privately. `replace`: replaces the private message. `share`: answers in the channel. */
type Action = "answer" | "replace" | "share";

const ACTION_CODES: Readonly<Record<Action, string>> = { answer: "r", replace: "t", share: "s" };
const STYLES: Readonly<Record<Button["style"], APIButtonComponentWithCustomId["style"]>> = {
  normal: ButtonStyle.Secondary,
  primary: ButtonStyle.Primary,
  danger: ButtonStyle.Danger,
};

const MAX_ROWS = 5;
const MAX_PER_ROW = 5;

/** Null if the command does not fit into the button's ID: a cut command would be a different one. */
function buttonOf(action: Action, { label, command, style }: Button): APIButtonComponentWithCustomId | null {
  const customId = `${ACTION_CODES[action]}:${command}`;
  if (customId.length > MAX_LENGTH.customId || command.trim() === "") return null;
  return {
    type: ComponentType.Button,
    style: STYLES[style],
    label: cutText(sanitizeText(label).replace(/\s+/g, " ").trim() || command, MAX_LENGTH.label),
    custom_id: customId,
  };
}

/** Decodes a button's ID. It contains the whole command, so buttons keep working after a restart. */
export function parseButtonId(customId: string): { readonly action: Action; readonly line: string } | null {
  const [, code, line] = /^([rts]):(.+)$/s.exec(customId) ?? [];
  const action = (["answer", "replace", "share"] as const).find((known) => ACTION_CODES[known] === code);
  return action === undefined || line === undefined ? null : { action, line };
}

/** Arranges button groups in rows, each group in one row if it fits. Excess buttons are dropped. */
function rowsOf(groups: readonly (readonly APIButtonComponentWithCustomId[])[]): Row[] {
  const seen = new Set<string>();
  const rows: APIButtonComponentWithCustomId[][] = [];
  for (const group of groups) {
    // Discord rejects messages with duplicate button IDs.
    const added = group.filter(({ custom_id: id }) => !seen.has(id) && seen.add(id));
    const last = rows.at(-1);
    if (last && last.length + added.length <= MAX_PER_ROW) last.push(...added);
    else for (let at = 0; at < added.length; at += MAX_PER_ROW) rows.push(added.slice(at, at + MAX_PER_ROW));
  }
  return rows.slice(0, MAX_ROWS).map((components) => ({ type: ComponentType.ActionRow, components }));
}
