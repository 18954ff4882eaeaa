import { z } from "zod";
import { apiKey } from "../../data-service/server/key-file.ts";
import type { Delivery, DeliveryId } from "../../domain/alert/delivery.ts";
import { EVENT_KINDS, type EventId } from "../../domain/alert/event.ts";
import type { Snapshot } from "../../domain/diff/snapshot.ts";
import type { PendingImport } from "../../domain/settings/pending-import.ts";
import type { RuleFilter } from "../../domain/settings/rule.ts";
import type { Split } from "../../domain/split/split.ts";
import type { SettledMessage, StateKind, StateValues } from "../../ports/state-records.ts";
import type { Posting } from "../../ports/store.ts";
import { event } from "./event-schema.ts";
import {
  articleFacts,
  count,
  day,
  destination,
  exchange,
  instant,
  knownArticle,
  messageRef,
  oneOf,
  person,
  ratio,
  splitId,
  splitRecord,
  text,
  ticker,
  tickerMention,
  treatment,
  wire,
} from "./state-schema-parts.ts";

const deliveryFields = {
  id: text<DeliveryId>(),
  eventId: text<EventId>(),
  reasons: z.array(z.string()),
  mentions: z.array(z.string()),
};

const message: z.ZodType<SettledMessage> = z.object({
  messageId: text(),
  to: destination,
  at: instant,
  end: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("sent"), ref: messageRef, blindResends: count }),
    z.object({ kind: z.literal("failed"), reason: text() }),
  ]),
  deliveries: z.array(z.object(deliveryFields)),
});

const delivery: z.ZodType<Delivery> = z.object({ ...deliveryFields, to: destination });

const attempt: z.ZodType<StateValues["attempt"]> = z.object({
  messageId: text(),
  to: destination,
  deliveries: z.array(text<DeliveryId>()).min(1),
  body: z.unknown(),
  replyTo: messageRef.nullable(),
  createdAt: instant,
  state: oneOf(["ready", "sending", "uncertain"]),
  sends: count,
  blindResends: count,
  notBefore: instant,
  problem: text().nullable(),
});

const snapshot: z.ZodType<Omit<Snapshot, "splits" | "past" | "articles">> = z.object({
  source: text(),
  startedAt: instant,
  nextSplit: count,
  splitsKnown: z.boolean(),
  settlingPolls: count,
  articlesThrough: day.nullable(),
  suspicion: z.object({ seen: count, reason: text() }).nullable(),
  remindedThrough: z.record(z.string(), day).exactOptional(),
  stale: z.object({ since: instant, alertedAt: instant, isOver: z.boolean() }).exactOptional(),
});

const split: z.ZodType<Split> = z.object({
  id: splitId,
  status: oneOf(["listed", "missing", "closed"]),
  record: splitRecord,
  revision: count,
  firstSeenAt: instant,
  removedAt: instant.nullable(),
  pollsMissed: count,
  transitionTimes: z.array(instant),
  pendingRecord: splitRecord.nullable(),
  withdrawal: z.object({ kind: oneOf(["postponed", "cancelled"]), exDate: day.nullable() }).nullable(),
  reminded: z.record(z.string(), day),
});

const pastSplit: z.ZodType<StateValues["past-split"]> = z.object({
  id: splitId,
  ticker,
  exchange,
  name: text(),
  ratio: ratio.nullable(),
  exDate: day,
  sample: z.boolean(),
});

const filterFields = {
  exchanges: z.array(exchange),
  tickers: z.array(ticker),
  excludeExchanges: z.array(exchange),
  excludeTickers: z.array(ticker),
  events: z.array(oneOf(EVENT_KINDS)),
  sources: z.array(wire),
  fractional: z.array(treatment),
  minRatio: z.number().nullable(),
};

const ruleFilter: z.ZodType<RuleFilter> = z.object(filterFields);

const rule: z.ZodType<StateValues["rule"]> = z.object({
  ...filterFields,
  number: count,
  destination,
  createdBy: person,
  createdAt: instant,
  mention: text().nullable(),
});

const portableFields = {
  timezone: text().nullable().exactOptional(),
  reminders: z.boolean().exactOptional(),
  digest: z.boolean().exactOptional(),
  quiet: z.object({ from: count, to: count }).nullable().exactOptional(),
};

const pendingImport: z.ZodType<PendingImport> = z.object({
  id: text(),
  person,
  destination,
  settingsOf: destination,
  until: instant,
  state: oneOf(["shown", "applying", "applied", "undone"]),
  tickers: z.array(ticker),
  rules: z.array(ruleFilter),
  settings: z.object(portableFields),
  settingsBefore: z.object(portableFields),
  ruleNumbers: z.array(count),
});

const posting: z.ZodType<Posting> = z.object({
  number: count,
  to: destination,
  messageId: text(),
  replyTo: messageRef.nullable(),
  body: z.unknown(),
  at: instant,
  sharedBy: person.exactOptional(),
});

const release: z.ZodType<StateValues["release"]> = z.object({
  url: text(),
  source: text(),
  heading: text(),
  teaser: text(),
  tickers: z.array(tickerMention),
  publishedAt: instant.nullable(),
  published: day,
  foundAt: instant,
  version: text(),
  readVersion: text().nullable(),
  readAt: instant.nullable(),
  reads: count,
  text: text().nullable(),
  facts: articleFacts.nullable(),
  tries: count,
  problem: text().nullable(),
  notBefore: instant,
});

/** What a value of each kind has to be. What else stands in one, from a later version, is let pass. */
export const STATE_SCHEMAS: { readonly [K in StateKind]: z.ZodType<StateValues[K]> } = {
  snapshot,
  split,
  "past-split": pastSplit,
  article: knownArticle,
  event,
  message,
  delivery,
  attempt,
  pause: z.object({ to: destination, reason: text(), at: instant }),
  forgetting: z.object({ person, tests: z.array(z.string()) }),
  rule,
  "rule-number": z.object({ at: destination, last: count }),
  watchlist: z.object({ person, tickers: z.array(ticker).min(1) }),
  "direct-channel": z.object({ person, channelId: text() }),
  calendar: z.object({ person, token: z.string().min(1) }),
  "destination-settings": z.object({
    to: destination,
    settings: z.object({ ...portableFields, mutedUntil: instant.nullable().exactOptional() }),
  }),
  import: pendingImport,
  installation: z.object({
    platform: text(),
    workspaceId: text(),
    credentials: text().nullable(),
    since: instant,
  }),
  "used-once": z.object({ token: text(), until: instant }),
  posting,
  "posting-number": z.object({ last: count }),
  release,
  "api-key": apiKey,
};
