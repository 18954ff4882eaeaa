import type { Rule } from "../settings/rule.ts";
import type { Delivery } from "./delivery.ts";
import { isSameDestination, type Person } from "./destination.ts";
import type { Event } from "./event.ts";

/** Replaces the id of a person whose data was deleted. */
const ANONYMOUS_ID = "somebody";

export function isAnonymous({ id }: Person): boolean {
  return id === ANONYMOUS_ID;
}

/** The rule without references to the person; null if it is the person's own. */
export function redactRule(rule: Rule, person: Person): Rule | null {
  if (isSameDestination(rule.destination, person)) return null;
  if (!isSameDestination(rule.createdBy, person)) return rule;
  const mention = rule.mention !== null && isMentionOf(rule.mention, person) ? null : rule.mention;
  return { ...rule, createdBy: { ...person, id: ANONYMOUS_ID }, mention };
}

/** The delivery without mentions of the person. */
export function redactDelivery<D extends Pick<Delivery, "mentions">>(delivery: D, person: Person): D {
  const mentions = delivery.mentions.filter((mention) => !isMentionOf(mention, person));
  return mentions.length === delivery.mentions.length ? delivery : { ...delivery, mentions };
}

/** Whether the person requested this test event. Its id starts with the destination that it was for. */
export function isTestRequestedBy(event: Event, { platform, id }: Person): boolean {
  return event.kind === "test" && event.askedBy === id && event.id.startsWith(`test.${platform}:`);
}

export function anonymizeTest(event: Event): Event {
  return event.kind === "test" ? { ...event, askedBy: ANONYMOUS_ID } : event;
}

/** A rendered message with the person's name removed from its texts. */
export function redactBody(body: unknown, person: Person): unknown {
  const names = [...new Set([person.id, localId(person)])].map(escapeRegExp);
  const whole = new RegExp(`(?<![\\w.-])(?:${names.join("|")})(?![\\w-])`, "g");
  return mapTexts(body, (text) => text.replace(whole, ANONYMOUS_ID));
}

/** Expects the platforms' mention syntax: `<@U1>`. */
function isMentionOf(mention: string, person: Person): boolean {
  return mention === `<@${localId(person)}>`;
}

/** The id without its workspace prefix, if it has one. */
function localId({ id }: Person): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]));
}
