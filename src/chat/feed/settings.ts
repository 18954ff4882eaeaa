import { z } from "zod";
import type { EnvironmentReader } from "../../config/environment.ts";
import { boolean } from "../../config/value-schemas.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import type { RuleFilter } from "../../domain/settings/rule.ts";
import { configuredRules } from "../configured-rules.ts";

export const PLATFORM = "feed";

/** The only destination: its postings are the entries of the feeds. */
export const ALERTS: Destination = { platform: PLATFORM, kind: "channel", id: "alerts" };

export const feedSection = z
  .strictObject({
    enabled: boolean()
      .prefault(false)
      .describe("true: alerts are published under /feeds/, readable by everyone who can connect. Needs PUBLIC_URL."),
    rules: configuredRules().describe(
      "Rules that select the alerts, with the fields of an exported rule. An empty rule is the default rule.",
    ),
  })
  .readonly()
  .describe("Feeds of alerts for feed readers (Atom, RSS, JSON Feed): see src/chat/feed/README.md.");

export type FeedSection = z.infer<typeof feedSection>;

export interface FeedSettings {
  readonly rules: readonly RuleFilter[];
}

/** Returns null if the feeds are off. Entries and feeds are identified by absolute addresses, so PUBLIC_URL is required. */
export function readFeedSettings(
  { variables, problems }: EnvironmentReader,
  { enabled, rules }: FeedSection,
): FeedSettings | null {
  if (!enabled) return null;
  if (variables.PUBLIC_URL === undefined)
    problems.push("PUBLIC_URL: got nothing although feed.enabled is true, expected the address of the feeds");
  return { rules };
}
