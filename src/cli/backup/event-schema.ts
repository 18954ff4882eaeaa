import { z } from "zod";
import type {
  Disagreement,
  Event,
  EventId,
  FractionEvidence,
  ReleaseLink,
  SplitEvent,
} from "../../domain/alert/event.ts";
import { TERMS } from "../../domain/split/split.ts";
import {
  count,
  day,
  fractionFields,
  instant,
  knownArticle,
  oneOf,
  ratio,
  releaseKind,
  splitId,
  splitRecord,
  text,
} from "./state-schema-parts.ts";

const base = { id: text<EventId>(), at: instant, sample: z.boolean() };

const releaseLink: z.ZodType<ReleaseLink> = z.object({
  url: text(),
  source: text(),
  heading: text(),
  published: day,
  kind: releaseKind,
});

const fractionEvidence: z.ZodType<FractionEvidence> = z.object({
  ...fractionFields,
  url: text(),
  source: text(),
});

const disagreement: z.ZodType<Disagreement> = z.discriminatedUnion("term", [
  z.object({ term: z.literal("ratio"), stated: ratio }),
  z.object({ term: z.literal("exDate"), stated: day }),
]);

const ofSplit = {
  ...base,
  splitId,
  record: splitRecord,
  fraction: fractionEvidence.nullable(),
  release: releaseLink.nullable(),
  disagreements: z.array(disagreement),
  otherRows: z.array(splitRecord).exactOptional(),
};

const ofRelease = {
  ...base,
  article: knownArticle,
  splits: z.array(z.object({ splitId: splitId.exactOptional(), record: splitRecord })),
};

const announced: z.ZodType<SplitEvent> = z.object({
  ...ofSplit,
  kind: z.literal("announced"),
  alreadyEffective: z.boolean(),
  serial: z.object({ count, total: ratio.nullable(), atLeast: z.boolean() }).nullable().exactOptional(),
});

const changed: z.ZodType<SplitEvent> = z.object({
  ...ofSplit,
  kind: z.literal("changed"),
  was: splitRecord,
  terms: z.array(oneOf(TERMS)),
  flapping: z.boolean(),
});

const withdrawn: z.ZodType<SplitEvent> = z.object({
  ...ofSplit,
  kind: z.enum(["postponed", "cancelled"]),
  article: knownArticle,
  explainsMissing: z.boolean(),
});

const missing: z.ZodType<SplitEvent> = z.object({
  ...ofSplit,
  kind: z.literal("missing"),
  pollsMissed: count,
  flapping: z.boolean(),
  withdrawnBy: releaseLink.nullable(),
});

const returned: z.ZodType<SplitEvent> = z.object({
  ...ofSplit,
  kind: z.literal("returned"),
  was: splitRecord,
  flapping: z.boolean(),
});

const effective: z.ZodType<SplitEvent> = z.object({ ...ofSplit, kind: z.literal("effective") });
const reminder: z.ZodType<SplitEvent> = z.object({ ...ofSplit, kind: z.literal("reminder"), daysLeft: count });

const ofStale = { ...base, kind: z.literal("stale"), since: instant };
const stale: z.ZodType<Event> = z.discriminatedUnion("state", [
  z.object({ ...ofStale, state: z.literal("begun"), problem: text() }),
  z.object({ ...ofStale, state: z.literal("over"), eventCount: count }),
]);

const SCHEMAS: Readonly<Record<Event["kind"], z.ZodType<Event>>> = {
  announced,
  changed,
  postponed: withdrawn,
  cancelled: withdrawn,
  missing,
  returned,
  effective,
  reminder,
  article: z.object({ ...ofRelease, kind: z.literal("article") }),
  early: z.object({ ...ofRelease, kind: z.literal("early") }),
  stale,
  test: z.object({ ...base, kind: z.literal("test"), askedBy: text() }),
  digest: z.object({ ...base, kind: z.literal("digest"), records: z.array(splitRecord) }),
};

const kind = oneOf(Object.keys(SCHEMAS) as Event["kind"][]);

/** Checked by its kind first: a problem is then told of the field that it is in. */
export const event: z.ZodType<Event> = z.looseObject({ kind }).transform((value, context) => {
  const checked = SCHEMAS[value.kind].safeParse(value);
  if (checked.success) return checked.data;
  for (const { path, message } of checked.error.issues) context.addIssue({ code: "custom", path, message });
  return z.NEVER;
});
