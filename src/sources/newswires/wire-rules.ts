/** What is particular to the hosts and pages of one wire. */
export interface WireRules {
  /** The least pause between two requests to one of its hosts. */
  readonly paceMs: number;
  /** Selectors of the element of a page that holds the release, the surest first. */
  readonly containers: readonly string[];
}
