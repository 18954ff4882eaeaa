import type { Rule } from "../settings/rule.ts";
import type { Delivery } from "./delivery.ts";
import { isSameDestination, type Person } from "./destination.ts";
import type { Event } from "./event.ts";

/** Replaces the id of a person whose data was deleted. No platform has ids or names with spaces. */
export const ANONYMOUS_ID = "(deleted person)";

export function isAnonymous({ id }: Person): boolean {
  return id === ANONYMOUS_ID;
}

/** Returns the rule without references to the person; null if the person is its destination. */
export function redactRule(rule: Rule, person: Person): Rule | null {
  if (isSameDestination(rule.destination, person)) return null;
  if (!isSameDestination(rule.createdBy, person)) return rule;
  const mention = rule.mention !== null && isMentionOf(rule.mention, person) ? null : rule.mention;
  return { ...rule, createdBy: { ...person, id: ANONYMOUS_ID }, mention };
}

/** Returns the delivery without mentions of the person. */
export function redactDelivery<D extends Pick<Delivery, "mentions">>(delivery: D, person: Person): D {
  const mentions = delivery.mentions.filter((mention) => !isMentionOf(mention, person));
  return mentions.length === delivery.mentions.length ? delivery : { ...delivery, mentions };
}

/** True if the person requested this test event. The event's id starts with `test.` and the platform of its destination. */
export function isTestRequestedBy(event: Event, { platform, id }: Person): boolean {
  return event.kind === "test" && event.askedBy === id && event.id.startsWith(`test.${platform}:`);
}

export function anonymizeTest(event: Event): Event {
  return event.kind === "test" ? { ...event, askedBy: ANONYMOUS_ID } : event;
}

/** Replaces the person's ids in the texts of a rendered message. */
export function redactBody(body: unknown, person: Person): unknown {
  const names = [...new Set([person.id, localId(person)])].map((id) => RegExp.escape(id));
  const pattern = new RegExp(`(?<![\\w.-])(?:${names.join("|")})(?![\\w-])`, "g");
  return mapTexts(body, (text) => text.replace(pattern, ANONYMOUS_ID));
}

/** The person's mention in the platforms' syntax: `<@U1>`. */
export function mentionOf(person: Person): string {
  return `<@${localId(person)}>`;
}

function isMentionOf(mention: string, person: Person): boolean {
  return mention === mentionOf(person);
}

/** Id without the workspace prefix that some platforms use: `U1` for `T1/U1`. */
export function localId({ id }: Person): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

function mapTexts(value: unknown, transform: (text: string) => string): unknown {
  if (typeof value === "string") return transform(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, transform));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, mapTexts(field, transform)]));
}
