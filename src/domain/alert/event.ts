import { z } from "zod";
import { fractionEvidenceSchema, knownArticleSchema, releaseKindSchema, type Treatment } from "../article/article.ts";
import { countSchema, type Infer } from "../schema-parts.ts";
import { ratioSchema } from "../split/ratio.ts";
import { repeatSplitsSchema } from "../split/repeat-splits.ts";
import {
  type SplitId,
  type SplitRecord,
  selectorsOfRecord,
  splitIdSchema,
  splitRecordSchema,
  statementsSchema,
  symbolsOf,
  TERMS,
} from "../split/split.ts";
import { canonicalTicker, selectorsOf, type Ticker } from "../split/ticker.ts";
import { type Day, daySchema, type Instant, instantSchema } from "../time/day.ts";
import type { DestinationKey } from "./destination.ts";

export const eventIdSchema = z.string().brand<"EventId">();

/** Identifies an event; see `eventIds`. */
export type EventId = z.infer<typeof eventIdSchema>;

const eventFields = {
  id: eventIdSchema,
  /** Time of detection. */
  at: instantSchema,
  /** True for events of sample data. */
  sample: z.boolean(),
};

const releaseLinkSchema = z.object({
  url: z.string(),
  source: z.string(),
  heading: z.string(),
  published: daySchema,
  kind: releaseKindSchema,
});

/** The part of a release that an alert shows. */
export type ReleaseLink = Infer<typeof releaseLinkSchema>;

const disagreementSchema = z.discriminatedUnion("term", [
  z.object({ term: z.literal("ratio"), stated: ratioSchema }),
  z.object({ term: z.literal("exDate"), stated: daySchema }),
]);

/** A term that differs between a release and the list. */
export type Disagreement = Infer<typeof disagreementSchema>;

const splitEvidenceSchema = z.object({
  /** Null if no release states it. */
  fraction: fractionEvidenceSchema.nullable(),
  /** The newest release that announces or moves the split; null if there is none. */
  release: releaseLinkSchema.nullable(),
  disagreements: z.array(disagreementSchema),
  /** Other rows of the list with the same symbol and different terms; absent if there are none. */
  otherRows: z.array(splitRecordSchema).exactOptional(),
});

/** Evidence about a split from known releases and from other rows of the list. */
export type SplitEvidence = Infer<typeof splitEvidenceSchema>;

/** Evidence of a split without known releases. */
export const NO_EVIDENCE: SplitEvidence = { fraction: null, release: null, disagreements: [] };

const splitEventSchema = splitEvidenceSchema.extend({
  ...eventFields,
  splitId: splitIdSchema,
  /** The split's current terms. */
  record: splitRecordSchema,
});

const announcedSchema = splitEventSchema.extend({
  kind: z.literal("announced"),
  /** True if the split was first seen after its ex date. */
  alreadyEffective: z.boolean(),
  /** The number of the issuer's recent splits, this one included; null or absent if no earlier one is known. */
  serial: repeatSplitsSchema.nullable().exactOptional(),
});
export type Announced = Infer<typeof announcedSchema>;

/** Terms whose change triggers an alert: those of the row, and those that only releases state. */
const CHANGEABLE_TERMS = [...TERMS, "fraction", "newCusip"] as const;

export type ChangeableTerm = (typeof CHANGEABLE_TERMS)[number];

const changedSchema = splitEventSchema.extend({
  kind: z.literal("changed"),
  /** The terms before the change. */
  was: splitRecordSchema,
  /** Empty if only the company name or the announcement date changed: recorded in the history without an alert. */
  terms: z.array(z.enum(CHANGEABLE_TERMS)),
  /** The statements of the issuer's releases before and after the change; absent if none changed. */
  stated: z.object({ was: statementsSchema, now: statementsSchema }).exactOptional(),
  /** True for the third transition within an hour. Later transitions are held until the split is stable for an hour. */
  flapping: z.boolean(),
});
export type Changed = Infer<typeof changedSchema>;

const withdrawnSchema = splitEventSchema.extend({
  kind: z.enum(["postponed", "cancelled"]),
  article: knownArticleSchema,
  /** True if the split had disappeared from the list before its ex date; the release is the reason. */
  explainsMissing: z.boolean(),
  /** True if the list already has the new ex date; absent otherwise. */
  isRescheduled: z.literal(true).exactOptional(),
});
/** A release postpones or cancels the split. */
export type Withdrawn = Infer<typeof withdrawnSchema>;

const missingSchema = splitEventSchema.extend({
  kind: z.literal("missing"),
  pollsMissed: countSchema,
  flapping: z.boolean(),
  /** The release that withdrew the split before it disappeared, with its sentence; null if there is none. */
  withdrawnBy: releaseLinkSchema.extend({ sentence: z.string().exactOptional() }).nullable(),
  /** The only other row of the company with the same ratio and ex date; absent if there is none. */
  sameTerms: splitRecordSchema.exactOptional(),
});
export type Missing = Infer<typeof missingSchema>;

const returnedSchema = splitEventSchema.extend({
  kind: z.literal("returned"),
  /** The terms before the split disappeared. */
  was: splitRecordSchema,
  flapping: z.boolean(),
});
export type Returned = Infer<typeof returnedSchema>;

const effectiveSchema = splitEventSchema.extend({ kind: z.literal("effective") });
export type Effective = Infer<typeof effectiveSchema>;

const reminderSchema = splitEventSchema.extend({
  kind: z.literal("reminder"),
  /** Trading days left, at least 1. */
  daysLeft: countSchema,
});
export type Reminder = Infer<typeof reminderSchema>;

const releaseFields = {
  ...eventFields,
  article: knownArticleSchema,
  /** The listed splits that the release concerns. A row without an id is new on the list; the next poll announces it. */
  splits: z.array(z.object({ splitId: splitIdSchema.exactOptional(), record: splitRecordSchema })),
};

const articleEventSchema = z.object({ ...releaseFields, kind: z.literal("article") });
/** A new press release. */
export type ArticleEvent = Infer<typeof articleEventSchema>;

const earlyEventSchema = z.object({ ...releaseFields, kind: z.literal("early") });
/** A new press release about an approval or a range of ratios: a split may follow. */
export type EarlyEvent = Infer<typeof earlyEventSchema>;

const staleFields = {
  ...eventFields,
  kind: z.literal("stale"),
  /** Time when the data was last up to date. */
  since: instantSchema,
};

const staleEventSchema = z.discriminatedUnion("state", [
  /** `problem`: the last error, human-readable. */
  z.object({ ...staleFields, state: z.literal("begun"), problem: z.string() }),
  /** `eventCount`: number of events detected since the alert about the outage. */
  z.object({ ...staleFields, state: z.literal("over"), eventCount: countSchema }),
]);
/** The data is outdated, or up to date again. Concerns every split. */
export type StaleEvent = Infer<typeof staleEventSchema>;

const digestEventSchema = z.object({ ...eventFields, kind: z.literal("digest"), records: z.array(splitRecordSchema) });
/** The splits found by the first poll of a source; sent only if `alerts.firstRun` is `digest`. */
export type DigestEvent = Infer<typeof digestEventSchema>;

/** Properties of an event kind that rules can select. */
interface KindTraits {
  /** `data`: concerns all data; sent only by rules that name the kind. */
  readonly subject: "split" | "release" | "data";
  /** True if a channel's default rule includes the kind. */
  readonly inDefaultRule: boolean;
  /** True if events of the kind are sent to people who watch one of their tickers. */
  readonly inWatchlists: boolean;
  readonly schema: z.ZodType;
}

const SPLIT_ALERT = { subject: "split", inDefaultRule: true, inWatchlists: true } as const;

/**
 * Registry of the kinds that rules can select, in the order in which users see them. Types, validation, rule defaults,
 * watchlists and option words derive from it.
 */
const KINDS = {
  announced: { ...SPLIT_ALERT, schema: announcedSchema },
  changed: { ...SPLIT_ALERT, schema: changedSchema },
  postponed: { ...SPLIT_ALERT, schema: withdrawnSchema },
  cancelled: { ...SPLIT_ALERT, schema: withdrawnSchema },
  missing: { ...SPLIT_ALERT, schema: missingSchema },
  returned: { ...SPLIT_ALERT, schema: returnedSchema },
  effective: { ...SPLIT_ALERT, schema: effectiveSchema },
  reminder: { ...SPLIT_ALERT, inDefaultRule: false, schema: reminderSchema },
  article: { subject: "release", inDefaultRule: false, inWatchlists: true, schema: articleEventSchema },
  early: { subject: "release", inDefaultRule: false, inWatchlists: false, schema: earlyEventSchema },
  stale: { subject: "data", inDefaultRule: false, inWatchlists: false, schema: staleEventSchema },
} as const satisfies Readonly<Record<string, KindTraits>>;

export type EventKind = keyof typeof KINDS;

export const EVENT_KIND_TRAITS: Readonly<Record<EventKind, KindTraits>> = KINDS;

export const EVENT_KINDS = Object.keys(KINDS) as readonly EventKind[];

export const eventKindSchema = z.enum(EVENT_KINDS);

const testEventSchema = z.object({
  ...eventFields,
  kind: z.literal("test"),
  askedBy: z.string(),
  /** The kind of alert that the test shows; absent for a card that only states that it was delivered. */
  shows: eventKindSchema.exactOptional(),
});
/** Requested by `/splits test`; sent only to the destination of the request. */
export type TestEvent = Infer<typeof testEventSchema>;

type EventAbout<Subject extends KindTraits["subject"]> = {
  [Kind in EventKind]: (typeof KINDS)[Kind]["subject"] extends Subject ? Infer<(typeof KINDS)[Kind]["schema"]> : never;
}[EventKind];

export type SplitEvent = EventAbout<"split">;

export type ReleaseEvent = EventAbout<"release">;

/** Events that are matched against rules and watchlists. */
export type MatchableEvent = EventAbout<KindTraits["subject"]>;

/** Any event. Test and digest events are created for one destination; no rule selects them. */
export type Event = MatchableEvent | TestEvent | DigestEvent;

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(EVENT_KINDS.map((kind) => [kind, EVENT_KIND_TRAITS[kind].schema])),
  test: testEventSchema,
  digest: digestEventSchema,
};

/** Validates the kind first, so that the problems of an event name only fields of its kind. */
export const eventSchema = z.looseObject({ kind: z.enum(Object.keys(SCHEMAS)) }).transform((value, context): Event => {
  const checked = SCHEMAS[value.kind]?.safeParse(value);
  if (checked?.success) return checked.data as Event;
  for (const { path, message } of checked?.error.issues ?? []) context.addIssue({ code: "custom", path, message });
  return z.NEVER;
});

export function isMatchable(event: Event): event is MatchableEvent {
  return event.kind !== "test" && event.kind !== "digest";
}

/** True if the event was created for one destination: it matches no rules and can be deleted with its deliveries. */
export function isForOneDestination(event: Event): boolean {
  return !isMatchable(event);
}

export function isSplitEvent(event: Event): event is SplitEvent {
  return "splitId" in event;
}

/** True if the ex date of the event's record doesn't apply any more. */
export function endsDate(event: SplitEvent): boolean {
  return event.kind === "missing" || ("explainsMissing" in event && !event.isRescheduled);
}

/** True if the event changes or ends what earlier alerts about the split state. */
export function supersedes(event: Event): event is SplitEvent {
  if (event.kind === "changed") return event.terms.length > 0;
  return isSplitEvent(event) && ("flapping" in event || "explainsMissing" in event);
}

export function isReleaseEvent(event: MatchableEvent): event is ReleaseEvent {
  return EVENT_KIND_TRAITS[event.kind].subject === "release";
}

/** Addresses of the releases that an event contains. */
export function releasesIn(event: Event): readonly string[] {
  if ("article" in event) return [event.article.url];
  if (event.kind !== "changed" || event.stated === undefined) return [];
  const { terms, stated } = event;
  const { fraction, newCusip } = stated.now;
  return [terms.includes("fraction") ? fraction : null, terms.includes("newCusip") ? newCusip : null].flatMap(
    (statement) => statement?.url ?? [],
  );
}

/** True if `event` contains the release of `article`, so that recipients of `event` don't need `article`. */
export function coversRelease(article: Event, event: Event): boolean {
  return article.kind === "article" && event.kind !== "article" && releasesIn(event).includes(article.article.url);
}

/** True if `earlier`, an event of the same split, has the content of `event`, so that its recipients don't need `event`. */
export function covers(earlier: Event, event: Event): boolean {
  if (event.kind === "announced") return earlier.kind === "announced" && earlier.id !== event.id;
  return event.kind === "missing" && earlier.kind === "cancelled" && earlier.article.url === event.withdrawnBy?.url;
}

/** Tickers of all securities in the content of the event. */
export function tickersIn(event: Event): ReadonlySet<Ticker> {
  const records = recordsOf(event).flatMap(symbolsOf);
  const mentions = "article" in event ? event.article.concerns.map((mention) => mention.ticker) : [];
  return new Set([...records, ...mentions]);
}

/** Tickers under which the history finds the event: also with the market of a security, such as `OAKR.TO`. */
export function indexedTickers(event: Event): ReadonlySet<Ticker> {
  const mentions = "article" in event ? event.article.concerns : [];
  return new Set([
    ...recordsOf(event).flatMap((record) => selectorsOfRecord(record).map(canonicalTicker)),
    ...mentions.flatMap(({ ticker, exchange }) => selectorsOf(canonicalTicker(ticker), exchange ? [exchange] : [])),
  ]);
}

function recordsOf(event: Event): readonly SplitRecord[] {
  if ("was" in event) return [event.record, event.was];
  if ("record" in event) return [event.record];
  if ("splits" in event) return event.splits.map((split) => split.record);
  return "records" in event ? event.records : [];
}

/** Ids of events, derived from their subjects, so that the same event always has the same id. */
export const eventIds = {
  article: ({ url }: { readonly url: string }): EventId => url as EventId,
  /** URLs contain no spaces, so this can't be the id of an article event. */
  early: ({ url }: { readonly url: string }): EventId => `${url} early` as EventId,
  /** The first event of a split is `<id>.1`. */
  revision: (splitId: SplitId, revision: number): EventId => `${splitId}.${revision}` as EventId,
  /** A split announced again because a release states how its fractional shares are treated. */
  stated: (splitId: SplitId, treatment: Treatment): EventId => `${splitId}.stated-${treatment}` as EventId,
  /** Contains the ex date: when the date moves, the reminder is due again. */
  reminder: (splitId: SplitId, daysBefore: number, exDate: Day): EventId =>
    `${splitId}.before-${daysBefore}.${exDate}` as EventId,
  /** Split ids start with an upper-case ticker, so this can't be the id of a split event. */
  stale: (since: Instant): EventId => `stale-${since.toString(36)}` as EventId,
  staleOver: (since: Instant): EventId => `stale-${since.toString(36)}.over` as EventId,
  /** The digest of a snapshot's first run. */
  digest: (startedAt: Instant): EventId => `${startedAt.toString(36)}.digest` as EventId,
  /** The part of a digest for one destination. */
  digestPart: (digestId: EventId, key: DestinationKey): EventId => `${digestId}.${key}` as EventId,
};
