import { BARE_COMMAND, LISTING_COMMAND } from "../command.ts";

/** What a sentence may mean that isn't a command. */
interface Phrase {
  readonly pattern: RegExp;
  readonly command: string;
  /** What the command takes from the sentence: its options, any ticker, or a ticker of a known split. */
  readonly takes: "options" | "ticker" | "knownTicker";
}

/** The first phrase that matches a sentence counts; one with options only if the sentence contains some. */
export const PHRASES: readonly Phrase[] = [
  { pattern: /\bsplit/i, command: LISTING_COMMAND, takes: "options" },
  { pattern: /^(?:add|alert|follow|notify|track)\s/i, command: "watch", takes: "ticker" },
  { pattern: /^(?:delete|drop|remove|unfollow)\s/i, command: "unwatch", takes: "ticker" },
  { pattern: /^/, command: BARE_COMMAND, takes: "knownTicker" },
];
