import { z } from "zod";
import { observationSchema } from "../catalog/observation.ts";
import { releaseSchema } from "../catalog/release.ts";
import { deferralSchema } from "../domain/alert/deferral.ts";
import { attemptSchema, deliverySchema, messageRefSchema } from "../domain/alert/delivery.ts";
import { destinationKey, destinationSchema, isPerson, type Person, personSchema } from "../domain/alert/destination.ts";
import { eventSchema } from "../domain/alert/event.ts";
import { pauseSchema } from "../domain/alert/pause.ts";
import { knownArticleSchema } from "../domain/article/article.ts";
import { snapshotHeaderSchema } from "../domain/diff/snapshot.ts";
import { countSchema, type Infer } from "../domain/schema-parts.ts";
import { destinationSettingsPatchSchema, portableSettingsSchema } from "../domain/settings/destination-settings.ts";
import { ruleSchema } from "../domain/settings/rule.ts";
import { pastSplitSchema } from "../domain/split/repeat-splits.ts";
import { splitSchema } from "../domain/split/split.ts";
import { tickerSchema } from "../domain/split/ticker.ts";
import { instantSchema } from "../domain/time/day.ts";
import { oneLine } from "../lib/external-text.ts";

const settledDeliverySchema = deliverySchema.omit({ to: true });

/** A delivery of a settled message, without the destination, which the message states. */
export type SettledDelivery = Infer<typeof settledDeliverySchema>;

/** Number of times that the message was sent to the platform; missing in records of earlier versions. */
const sends = countSchema.optional();

const settledMessageSchema = z.object({
  messageId: z.string(),
  to: destinationSchema,
  at: instantSchema,
  end: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("sent"), ref: messageRefSchema, sends, blindResends: countSchema }),
    z.object({ kind: z.literal("failed"), reason: z.string(), sends }),
  ]),
  deliveries: z.array(settledDeliverySchema),
});

/** A message that was sent or has permanently failed. */
export type SettledMessage = Infer<typeof settledMessageSchema>;

/** `tests`: ids of messages in channels that contain a test card requested by the person. */
const pendingPurgeSchema = z.object({ person: personSchema, tests: z.array(z.string()) });

/** A purge of a person's data that is not complete yet. */
export type PendingPurge = Infer<typeof pendingPurgeSchema>;

const lastImportSchema = z.object({
  /** In the command of its Undo button. */
  id: z.string(),
  person: personSchema,
  /** Destination to which the import was sent, which has the rules. */
  destination: destinationSchema,
  /** Person or channel whose settings were changed. */
  settingsOf: destinationSchema,
  /** Tickers that the import added. */
  tickers: z.array(tickerSchema),
  /** Numbers of the rules that it added. */
  ruleNumbers: z.array(countSchema),
  /** The settings that it changed, with the values before it. */
  settings: portableSettingsSchema,
});

/** What the last import of a person changed, so that it can be undone. */
export type LastImport = Infer<typeof lastImportSchema>;

const installationSchema = z.object({
  platform: z.string(),
  /** The platform's id of the workspace; opaque. */
  workspaceId: z.string(),
  /** Encrypted by the platform; null if the workspace has uninstalled splitwatch. */
  credentials: z.string().nullable(),
  /** Time of the installation or uninstallation. */
  since: instantSchema,
  /** Why the installation ended, as shown to users; missing while it lasts, and in records of earlier versions. */
  endReason: z.string().optional(),
});

/** A workspace that installed splitwatch through OAuth. */
export type Installation = Infer<typeof installationSchema>;

const postingSchema = z.object({
  /** Sequence number across all destinations. A reader requests the postings after the highest number that it has. */
  number: countSchema,
  to: destinationSchema,
  messageId: z.string(),
  replyTo: messageRefSchema.nullable(),
  body: z.unknown(),
  at: instantSchema,
  /** The person who shared an answer with the channel. */
  sharedBy: personSchema.exactOptional(),
});

/** A message of the web chat, which splitwatch itself hosts. */
export type Posting = Infer<typeof postingSchema>;

/** Allowed names of API keys. */
export const KEY_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** An API key of the data service; the key itself is not stored. */
export const apiKeySchema = z.object({
  name: z.string().regex(KEY_NAME),
  /** Hash of the key in hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  created: z.iso.datetime(),
  /** Null while the key is valid. */
  revoked: z.iso.datetime().nullable(),
});

export type ApiKey = Infer<typeof apiKeySchema>;

/** Times at which a live source, or a part of it such as a wire, was read in this run and earlier runs. */
export const sourceReadsSchema = z.object({
  /** Id of the source, as in its observations and releases. */
  source: z.string(),
  /** Time of the first poll with an item. */
  firstReadAt: instantSchema,
  /** Time of a recent poll. Not every poll is stored, so the last poll may be some minutes later. */
  lastReadAt: instantSchema,
  /** Time at which the first fill of the source was complete; null until then. */
  filledAt: instantSchema.nullable(),
});

export type SourceReads = Infer<typeof sourceReadsSchema>;

/** Longest stored name of a destination, server or workspace. */
const MAX_STORED_NAME_LENGTH = 80;

/** A name as a platform states it, on one line without control characters, as it is stored and shown. */
export function storableName(name: string): string {
  return oneLine(name, MAX_STORED_NAME_LENGTH);
}

const storedNameSchema = z.string().max(MAX_STORED_NAME_LENGTH);

/** What the platform calls a channel or person, and its server or workspace if that is known. */
const destinationNameSchema = z.object({
  to: destinationSchema,
  name: storedNameSchema,
  place: storedNameSchema.nullable(),
});

export type DestinationName = Infer<typeof destinationNameSchema>;

/**
 * The complete persistent state except sessions, independent of the store: filling a store with the records of another one
 * gives the same state. Within a kind, records are in order of creation. Unknown fields are accepted.
 */
export const STATE_SCHEMAS = {
  /** The snapshot without its splits and articles; there is one. */
  snapshot: snapshotHeaderSchema,
  split: splitSchema,
  "past-split": pastSplitSchema,
  article: knownArticleSchema,
  event: eventSchema,
  message: settledMessageSchema,
  /** A waiting delivery, even if it is part of an attempt. */
  delivery: deliverySchema.extend({ deferral: deferralSchema.optional() }),
  attempt: attemptSchema,
  pause: pauseSchema,
  forgetting: pendingPurgeSchema,
  rule: ruleSchema,
  /** The last rule number assigned at a destination; the rule may have been removed. */
  "rule-number": z.object({ at: destinationSchema, last: countSchema }),
  watchlist: z.object({ person: personSchema, tickers: z.array(tickerSchema).min(1) }),
  "direct-channel": z.object({ person: personSchema, channelId: z.string() }),
  calendar: z.object({ person: personSchema, token: z.string().min(1) }),
  /** Only the settings that differ from the default. */
  "destination-settings": z.object({ to: destinationSchema, settings: destinationSettingsPatchSchema }),
  "destination-name": destinationNameSchema,
  "last-import": lastImportSchema,
  installation: installationSchema,
  /** A consumed single-use token; kept until it expires. */
  "used-once": z.object({ token: z.string(), until: instantSchema }),
  posting: postingSchema,
  /** The last number assigned to a posting; the posting may have been removed. */
  "posting-number": z.object({ last: countSchema }),
  release: releaseSchema,
  observation: observationSchema,
  "source-reads": sourceReadsSchema,
  "api-key": apiKeySchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;

export type StateKind = keyof typeof STATE_SCHEMAS;

export type StateValues = { readonly [K in StateKind]: Infer<(typeof STATE_SCHEMAS)[K]> };

export type StateRecord = {
  readonly [K in StateKind]: { readonly kind: K; readonly value: StateValues[K] };
}[StateKind];

export function installationKey({ platform, workspaceId }: Pick<Installation, "platform" | "workspaceId">): string {
  return `${platform} ${workspaceId}`;
}

interface KeyedKindDefinition<V> {
  readonly keyOf: (value: V) => string;
  /** The person whom the record is about, whose purge removes it; null if it is about none. */
  readonly personOf: (value: V) => Person | null;
}

/** Kinds whose records are found by a key alone. The store keeps them in one table. */
export const KEYED_KINDS = {
  "direct-channel": { keyOf: ({ person }) => destinationKey(person), personOf: ({ person }) => person },
  "last-import": { keyOf: ({ person }) => destinationKey(person), personOf: ({ person }) => person },
  "destination-name": { keyOf: ({ to }) => destinationKey(to), personOf: ({ to }) => (isPerson(to) ? to : null) },
  installation: { keyOf: installationKey, personOf: () => null },
} as const satisfies { readonly [K in StateKind]?: KeyedKindDefinition<StateValues[K]> };

export type KeyedKind = keyof typeof KEYED_KINDS;

/** The definition of a kind, for code that handles any of them. */
export function keyedKind<K extends KeyedKind>(kind: K): KeyedKindDefinition<StateValues[K]> {
  return KEYED_KINDS[kind] as KeyedKindDefinition<StateValues[K]>;
}
