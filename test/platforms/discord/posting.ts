import { PermissionFlagsBits as Bits } from "discord.js";
import { refusals } from "./api-error.ts";
import { asText, isJson, type Json, type Message, objectsIn } from "./model.ts";
import type { Channel, World } from "./world.ts";

/** Posts messages to channels, once per nonce within the window. */
export class Posting {
  readonly #world: World;
  readonly #now: () => number;
  readonly #nonceWindowMs: number;
  readonly #nonces = new Map<string, Message>();
  /** Number of repeated requests that the nonce suppressed. */
  suppressed = 0;

  constructor(world: World, now: () => number, nonceWindowMs: number) {
    this.#world = world;
    this.#now = now;
    this.#nonceWindowMs = nonceWindowMs;
  }

  /** Posts a message as a person, or as the bot with its token. */
  post(channel: Channel, body: Json, authorId: string): Message {
    const known = this.#knownBy(body);
    if (known) return known;
    const message = this.compose(channel, body, authorId);
    channel.messages.push(message);
    if (message.nonce !== null) this.#nonces.set(message.nonce, message);
    return message;
  }

  /** Creates a message without posting it. */
  compose(channel: Channel, body: Json, authorId: string): Message {
    const content = asText(body.content);
    return {
      id: this.#world.nextId(),
      channelId: channel.id,
      authorId,
      at: this.#now(),
      content,
      embeds: objectsIn(body.embeds),
      components: objectsIn(body.components),
      flags: Number(body.flags ?? 0),
      replyTo: this.#answered(channel, body.message_reference),
      nonce: body.nonce === undefined || body.nonce === null ? null : asText(body.nonce),
      pings: pingsOf(content, body.allowed_mentions),
    };
  }

  #knownBy({ nonce, enforce_nonce: enforced }: Json): Message | null {
    if (enforced !== true || nonce === undefined) return null;
    const known = this.#nonces.get(asText(nonce));
    if (!known || this.#now() - known.at > this.#nonceWindowMs) return null;
    this.suppressed += 1;
    return known;
  }

  #answered(channel: Channel, reference: unknown): string | null {
    if (!isJson(reference)) return null;
    const id = String(reference.message_id);
    if (!this.#world.botMay(channel, Bits.ReadMessageHistory)) throw refusals.noHistoryToAnswer();
    if (channel.messages.some((message) => message.id === id)) return id;
    if (reference.fail_if_not_exists === false) return null;
    throw refusals.invalidForm(["message_reference: Unknown message"]);
  }
}

/** Applies the fields of an edit; all others are unchanged. */
export function edit(message: Message, body: Json): void {
  const { content, embeds, components } = message;
  message.original ??= { content, embeds, components };
  if (body.content !== undefined) message.content = asText(body.content);
  if (body.embeds !== undefined) message.embeds = objectsIn(body.embeds);
  if (body.components !== undefined) message.components = objectsIn(body.components);
}

/** Accounts and roles that are notified; embeds notify nobody. */
function pingsOf(content: string, allowed: unknown): readonly string[] {
  const { parse, users, roles } = isJson(allowed)
    ? { parse: textsIn(allowed.parse), users: textsIn(allowed.users), roles: textsIn(allowed.roles) }
    : { parse: ["everyone", "users", "roles"], users: [], roles: [] };
  const everyone = parse.includes("everyone") ? (content.match(/@(everyone|here)\b/g) ?? []) : [];
  const called = (marks: RegExp, kind: string, named: readonly string[]): readonly string[] =>
    [...content.matchAll(marks)].map(([, id = ""]) => id).filter((id) => parse.includes(kind) || named.includes(id));
  return [
    ...everyone.map((mention) => mention.slice(1)),
    ...called(/<@!?(\d+)>/g, "users", users),
    ...called(/<@&(\d+)>/g, "roles", roles),
  ];
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}
