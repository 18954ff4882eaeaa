import { z } from "zod";
import { tickerMentionSchema } from "../domain/article/article.ts";
import type { Infer } from "../domain/schema-parts.ts";
import { ratioSchema } from "../domain/split/ratio.ts";
import { daySchema, instantSchema } from "../domain/time/day.ts";

/**
 * Statement of one source about one split at one time. Observations of exchanges and regulators are stored; those of press
 * releases are derived from the stored releases.
 */
export const observationSchema = z.object({
  /** Id of the source, such as `nasdaq` or `prnewswire`. */
  source: z.string(),
  /** Identifies the notice, row or release within the source. A revision has the same id and replaces the earlier statement. */
  id: z.string(),
  /** Web page of the notice or release. */
  url: z.string(),
  /** `confirmed`: evidence that the split takes place on its ex date. It neither creates nor changes a split. */
  kind: z.enum(["announced", "postponed", "cancelled", "confirmed"]),
  /** Date of the statement, in New York; for a revision without its own time, the day on which it was observed. */
  issuedOn: daySchema,
  /** Time of publication, or of observation if the source states no time. */
  publishedAt: instantSchema,
  /** Time at which splitwatch first read this revision. */
  observedAt: instantSchema,
  /** Main listing first; with a symbol change, the old symbol before the new one. Empty if no ticker is stated. */
  listings: z.array(tickerMentionSchema),
  company: z.string().nullable(),
  ratio: ratioSchema.nullable(),
  /** First trading day in new units; null if not stated or "to be announced". */
  exDate: daySchema.nullable(),
  newCusip: z.string().nullable(),
  /** Verbatim evidence of each term: a sentence, or `field: value`. */
  evidence: z.record(z.string(), z.string()),
});

export type Observation = Infer<typeof observationSchema>;
