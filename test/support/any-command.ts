import * as fc from "fast-check";
import { ALL_COMMANDS } from "../../src/commands/index.ts";
import { anyCharacter } from "./any-character.ts";

/** Longest line that a command accepts, in characters. */
const MAX_LINE_LENGTH = 20_000;

const NAMES = ALL_COMMANDS.map(({ name }) => name);
const OPTIONS = [...new Set(ALL_COMMANDS.flatMap(({ options }) => Object.keys(options)))];

/** Words that some option accepts, that resemble such words, or that have a meaning for JavaScript or a chat client. */
const WORDS = [
  NAMES,
  OPTIONS,
  OPTIONS.map((option) => `${option}:`),
  ["all", "default", "ACME", "$acme", "BRK.B", "NYSE American", "NASDAQ:", "NASDAQ,NYSE", "1-for-20", "1:0", "0:0"],
  ["12.5", "-1", "1e9", "9999999999", "1,000", "shares", "2026-01-01", "2026-02-30", "2h", "3 days", "22:00-07:00"],
  [
    "Asia/Tokyo",
    "new york",
    "on",
    "off",
    "me",
    "channel",
    "and",
    "#1",
    "announced,changed",
    "round_up",
    "list",
    "file",
  ],
  [",", ";", "\n", '"', "'", "“", "`", "$", "|", "<", ">", "=", ":", " : ", "\\", "\u0000", "\u202E", "💥", "İ"],
  ["<http://", "<http://a|b>", "<@U1>", "<!channel>", "<@&1>", "@everyone", "&lt;", "*_~", "__proto__", "constructor"],
  ["acme", "Acme Robotics", "globex foods", "Foods, Inc.", "zorva", "to", "the", "me", "this week", "LSE"],
  ["toString", "hasOwnProperty", "{}", "[]", '{"splitwatch":1,"watchlist":["ACME"],"rules":[{}]}', "null", "undefined"],
].flat();

const word = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 12 }) },
);

const optionWithValue = fc
  .tuple(fc.constantFrom(...OPTIONS), fc.constantFrom(":", "=", " ", ": "), word)
  .map(([option, sign, value]) => `${option}${sign}${value}`);

const words = fc
  .array(fc.oneof(word, optionWithValue), { maxLength: 30 })
  .chain((list) => fc.constantFrom(" ", " ", " ", "", ",", "\n").map((separator) => list.join(separator)));

/** A piece that is repeated up to the longest line. */
const repeatedWords = fc
  .tuple(words, fc.nat(MAX_LINE_LENGTH))
  .map(([text, length]) => text.repeat(Math.ceil(length / (text.length || 1))).slice(0, length));

/** Text after the name of a command. */
const anyOptionText = fc.oneof(
  { weight: 20, arbitrary: words },
  { weight: 1, arbitrary: repeatedWords },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 200 }) },
);

/** A command line, valid or not. */
export const anyCommandLine = fc
  .tuple(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: word }), anyOptionText)
  .map(([name, text]) => `${name} ${text}`);

/** Options of a slash command with a form for each option: names and values of any kind. */
export const anyTypedOptions = fc.record({
  name: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: word }),
  options: fc.array(
    fc.record({
      name: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...OPTIONS) }, { weight: 1, arbitrary: word }),
      value: fc.oneof({ weight: 8, arbitrary: anyOptionText }, fc.integer(), fc.boolean(), fc.double()),
    }),
    { maxLength: 6 },
  ),
});
