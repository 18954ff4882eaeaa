import type { Rule } from "../settings/rule.ts";
import type { Delivery } from "./delivery.ts";
import { type Destination, destinationKey, type Person } from "./destination.ts";
import type { Event } from "./event.ts";

/** Stands where somebody stood who wanted to be forgotten. */
const SOMEBODY = "somebody";

export function isAnonymous({ id }: Person): boolean {
  return id === SOMEBODY;
}

export function isSameDestination(a: Destination, b: Destination): boolean {
  return destinationKey(a) === destinationKey(b);
}

/** The rule without a word of the person; null where it was theirs alone. */
export function redactRule(rule: Rule, person: Person): Rule | null {
  if (isSameDestination(rule.destination, person)) return null;
  if (!isSameDestination(rule.createdBy, person)) return rule;
  const mention = rule.mention !== null && calls(rule.mention, person) ? null : rule.mention;
  return { ...rule, createdBy: { ...person, id: SOMEBODY }, mention };
}

/** The delivery to a channel, which calls the person no more. */
export function redactDelivery<D extends Pick<Delivery, "mentions">>(delivery: D, person: Person): D {
  const mentions = delivery.mentions.filter((mention) => !calls(mention, person));
  return mentions.length === delivery.mentions.length ? delivery : { ...delivery, mentions };
}

/** Whether the person asked for this test, wherever. A test's id begins with the place that it was for. */
export function isTestRequestedBy(event: Event, { platform, id }: Person): boolean {
  return event.kind === "test" && event.askedBy === id && event.id.startsWith(`test.${platform}:`);
}

/** A test that somebody asked for, with nobody's name. */
export function anonymizeTest(event: Event): Event {
  return event.kind === "test" ? { ...event, askedBy: SOMEBODY } : event;
}

/** Events that are made for one destination: without their deliveries they are nobody's. */
export function isForOneDestination(event: Event): boolean {
  return event.kind === "test" || event.kind === "digest";
}

/** A rendered message, with the person's name taken out of its texts. */
export function redactBody(body: unknown, person: Person): unknown {
  const names = [...new Set([person.id, localId(person)])].map(escaped);
  const whole = new RegExp(`(?<![\\w.-])(?:${names.join("|")})(?![\\w-])`, "g");
  return mapTexts(body, (text) => text.replace(whole, SOMEBODY));
}

/** In the platforms' own form of a mention: `<@U1>`. */
function calls(mention: string, person: Person): boolean {
  return mention === `<@${localId(person)}>`;
}

/** Without the workspace, which stands before it where there is one. */
function localId({ id }: Person): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]));
}
