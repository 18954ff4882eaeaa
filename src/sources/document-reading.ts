import type { Release } from "../catalog/release.ts";
import type { Instant } from "../domain/time/day.ts";
import type { Statement } from "./official/statement.ts";

/** What a source's reader makes of one document, without a poll: `splitwatch read` prints it. An omitted list is empty. */
export interface DocumentReading {
  /** Kind of the document, such as `feed`, `notice` or `daily list`. */
  readonly document: string;
  /** Statements of an exchange or regulator about splits. */
  readonly statements?: readonly Statement[];
  /** Releases and filed documents with their text and the extracted facts. */
  readonly releases?: readonly Release[];
  /** Entries of a feed, list or directory. */
  readonly entries?: readonly DocumentEntry[];
  /** Parts that could not be read, each with its reason. */
  readonly refusals?: readonly string[];
  /** Why the document, which was read, states no split. Default: a text with the kind of document. */
  readonly noSplitReason?: string;
}

export interface DocumentEntry {
  /** Address, or the source's own id for an entry without one. */
  readonly id: string;
  readonly title: string;
  /** Null if the list states no time. */
  readonly publishedAt: Instant | null;
  /** Whether a poll would read the entry's document, because it may concern a reverse split. */
  readonly isFollowed: boolean;
}

export interface ReadContext {
  /** Time as which the document is read. */
  readonly now: Instant;
}
