import type { Observation } from "../../catalog/observation.ts";
import type { Instant } from "../../domain/time/day.ts";

/** Statement of a notice or row about one split, before it is recorded as an observation. */
export interface Statement
  extends Pick<
    Observation,
    "id" | "url" | "kind" | "listings" | "company" | "ratio" | "exDate" | "newCusip" | "evidence"
  > {
  /** Null if the source states no time. */
  readonly publishedAt: Instant | null;
}
