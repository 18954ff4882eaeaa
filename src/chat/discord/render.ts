import type { APIEmbed } from "discord.js";
import type { Answer } from "../../commands/command.ts";
import { type Button, button, type Card } from "../../messages/message.ts";
import type { Outgoing, Rendered } from "../../ports/chat-platform.ts";
import { type Action, buttonOf, type Row, rowsOf } from "./components.ts";
import { embedOf, embedWithin, sizeOf } from "./embed.ts";
import { escapedText, MAX_LENGTH, plainText } from "./text.ts";

/** A message as Discord takes it, but for what is known only when it is sent. */
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

const MOST_EMBEDS = 10;
const MOST_MENTIONS = 20;
/** How much of a title stands beside an alert's card, where the notification shows it. */
const LONGEST_NEWS = 300;
const LONGEST_ADDITION = 12;
/** An answer that is longer than so many messages is cut. */
const MOST_MESSAGES = 4;

/** An alert. Its text alone is what a phone shows of it: whom it calls, and the essentials. */
export function renderMessage({ messageId, cards, mentions }: Outgoing): Rendered & { readonly body: DiscordBody } {
  const embeds = embedsOf(cards, messageId);
  const carried = cards.slice(0, embeds.length);
  const called = mentions.filter((mention) => MENTION.test(mention)).slice(0, MOST_MENTIONS);
  const body = {
    content: [...called, newsOf(carried)].join(" ").slice(0, MAX_LENGTH.content),
    embeds,
    components: rowsOf(carried.map((card) => buttonsOf(card, "ask", carried.length > 1))),
    allowed_mentions: allowed(called),
  };
  return { body, carried: carried.length };
}

/** The answer to a command line, in as many messages as it takes, seen by the asker alone. */
export function renderAnswer({ cards, shareable }: Answer, line: string): readonly DiscordBody[] {
  const bodies: DiscordBody[] = [];
  for (let left = cards; left.length > 0 && bodies.length < MOST_MESSAGES; ) {
    const embeds = embedsOf(left, null);
    const carried = left.slice(0, embeds.length);
    left = left.slice(embeds.length);
    const share = shareable && left.length === 0 ? buttonOf("share", button("Share", line)) : null;
    const groups = carried.map((card) => answerButtons(card, line, carried.length > 1));
    bodies.push({ embeds, components: rowsOf(share ? [...groups, [share]] : groups), allowed_mentions: allowed([]) });
  }
  return bodies;
}

/** An answer that somebody shows to all in the channel. */
export function renderShared({ cards }: Answer, line: string, sharedBy: string): DiscordBody {
  const embeds = embedsOf(cards, null);
  const carried = cards.slice(0, embeds.length);
  return {
    content: `<@${sharedBy}> shares ${escapedText(`/splits ${line}`, LONGEST_NEWS)}`,
    embeds,
    components: rowsOf(carried.map((card) => buttonsOf(card, "ask", carried.length > 1))),
    allowed_mentions: allowed([]),
  };
}

/** As many cards, from the first, as fit into one message; the first one fits always. */
function embedsOf(cards: readonly Card[], messageId: string | null): readonly APIEmbed[] {
  const [first, ...others] = cards.slice(0, MOST_EMBEDS);
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

function newsOf(cards: readonly Card[]): string {
  const [first] = cards;
  if (!first) return "";
  const badges = first.badges.map((badge) => plainText(badge).trim()).filter((badge) => badge !== "");
  const news = escapedText(
    [...badges.map((badge) => `${badge}:`), first.title].join(" ").replace(/\s+/g, " "),
    LONGEST_NEWS,
  );
  const more = cards.length - 1;
  return more === 0 ? news : `${news} (and ${more} more)`;
}

/** A person or a role, in Discord's own form. Nothing else may call anybody. */
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

/** What turns pages of the same answer does so in its place. */
function answerButtons(card: Card, line: string, several: boolean): ReturnType<typeof buttonsOf> {
  const asked = nameOf(line);
  const groups = card.buttons.map((one) =>
    buttonsOf({ ...card, buttons: [one] }, nameOf(one.command) === asked ? "turn" : "ask", several),
  );
  return groups.flat();
}

function nameOf(line: string): string {
  return /^\S*/.exec(line.trim())?.[0]?.toLowerCase() ?? "";
}

function buttonsOf({ buttons }: Card, action: Action, several: boolean): NonNullable<ReturnType<typeof buttonOf>>[] {
  return buttons.flatMap((one) => buttonOf(action, several ? withSubject(one) : one) ?? []);
}

/** Among the buttons of several cards `Details` alone would not say whose. */
function withSubject(one: Button): Button {
  const subject = one.command.replace(/^\S+\s*/, "");
  const says = subject === "" || subject.length > LONGEST_ADDITION || one.label.includes(subject);
  return says ? one : { ...one, label: `${one.label} ${subject}` };
}
