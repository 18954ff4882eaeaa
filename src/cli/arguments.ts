import { parseArgs } from "node:util";
import { keyNameProblem } from "../data-service/server/api-keys.ts";
import { closestWord } from "../lib/closest-word.ts";
import { quoteValue } from "../lib/error-text.ts";

export interface ReadRequest {
  readonly source: string;
  /** Documents, folders of documents, or `-` for standard input. */
  readonly files: readonly string[];
  /** A day, or a time with a zone; null: now, and in a folder the time of the answer. */
  readonly at: string | null;
  /** Address of the document; null: unknown. */
  readonly url: string | null;
  /** Content type of the documents; null: guessed. */
  readonly type: string | null;
  /** Prints JSON lines on a terminal too. */
  readonly json: boolean;
}

/** Parsed arguments. */
export type Request =
  | { readonly kind: "start" | "service" | "init" | "doctor" | "rebuild" | "help" | "version" }
  | { readonly kind: "migrate"; readonly apply: boolean }
  | { readonly kind: "extract"; readonly file: string | null; readonly json: boolean }
  | ({ readonly kind: "read" } & ReadRequest)
  | { readonly kind: "record"; readonly folder: string }
  | { readonly kind: "coverage"; readonly month: string; readonly file: string | null; readonly json: boolean }
  | { readonly kind: "backup" | "restore"; readonly file: string }
  | { readonly kind: "keys-list" }
  | { readonly kind: "keys-add" | "keys-revoke"; readonly name: string };

export type ParsedArguments = { readonly request: Request } | { readonly problems: readonly string[] };

const SUBCOMMANDS = [
  "start",
  "service",
  "init",
  "doctor",
  "extract",
  "read",
  "sources",
  "rebuild",
  "coverage",
  "keys",
  "backup",
  "restore",
  "migrate",
  "help",
];
const KEYS_ACTIONS = ["add", "list", "revoke"];
const SOURCES_ACTIONS = ["record"];
const FLAGS = ["help", "version"];
/** Options by subcommand, in addition to FLAGS. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  extract: ["json"],
  read: ["at", "url", "type", "json"],
  coverage: ["file", "json", "month"],
};
/** The subcommands that have an option, and an example of it. */
const OPTION_USES: Readonly<Record<string, string>> = {
  "--json": 'only extract, read and coverage have, as in "extract --json"',
  "--file": 'only coverage has, as in "coverage --month 2026-03 --file calendar.json"',
  "--month": 'only coverage has, as in "coverage --month 2026-03"',
  "--at": 'only read has, as in "read nasdaq notice.html --at 2026-03-09"',
  "--url": 'only read has, as in "read nasdaq notice.html --url https://www.example.com/notice"',
  "--type": 'only read has, as in "read nasdaq notice --type text/html"',
};

/** Text of `splitwatch help`. */
export const HELP = `splitwatch sends alerts for reverse stock splits.

Usage: splitwatch [SUBCOMMAND]

  start              run everything that the configuration asks for (default)
  service            run the data service alone
  init               ask a few questions, check the answers, and write .env and config/local.yaml
  doctor             check configuration, store, data service, sources and chat platforms
  extract [FILE]     read a release (text) or article records (JSON lines) from FILE or standard input and print the
                     extracted facts; --json prints JSON lines on a terminal, too
  read SOURCE FILE…  print what the reader of a source makes of captured documents: feeds, lists, pages, JSON or CSV
                     answers (- is standard input), or a folder of sources record; --at TIME sets the clock, --url the
                     address, --type the content type; --json prints JSON lines on a terminal, too
  sources record DIR store the raw answers of one round of all configured sources, for read, also while splitwatch
                     runs
  rebuild            extract all stored press releases again with this version's rules and print the changes
  coverage --month YYYY-MM
                     compare the splits of a month, by ex date, with the exchanges' own lists, also while splitwatch
                     runs; --file FILE also with a saved calendar (Nasdaq's JSON, or a CSV of date, symbol and ratio);
                     --json prints one JSON document
  keys add NAME      create an API key of the data service and print it once
  keys list          list the API keys
  keys revoke NAME   revoke an API key
  backup FILE        write the whole state to a new FILE, also while splitwatch runs; - is standard output
  restore FILE       restore the state of a backup into an empty DATA_DIR or database
  migrate            apply the pending migrations of the database that DATABASE_URL names, as a start does
  migrate status     list applied and pending migrations
  help               print this help

  -h, --help         print this help
  -v, --version      print the version

Addresses and secrets are environment variables, also read from .env: see .env.example.
Settings are in config/default.yaml; SPLITWATCH_CONFIG names a file that is merged over it.

Exit codes: 0 success, 1 failure, 2 invalid arguments or configuration.`;

/** Parses the words after `splitwatch`, or returns all problems. */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  const { values, tokens, positionals } = parseArgs({
    args: [...argv],
    options: {
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "v" },
      json: { type: "boolean" },
      month: { type: "string" },
      file: { type: "string" },
      at: { type: "string" },
      url: { type: "string" },
      type: { type: "string" },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  if (values.help !== undefined) return { request: { kind: "help" } };
  const allowedOptions = [...(OPTIONS[positionals[0] ?? ""] ?? []), ...FLAGS];
  const problems = tokens.flatMap((token) =>
    token.kind === "option" && !allowedOptions.includes(token.name) ? [unknownFlag(token.rawName, allowedOptions)] : [],
  );
  const parsed = values.version === undefined ? parseWords(positionals, values) : parseVersion(positionals);
  if ("problems" in parsed) problems.push(...parsed.problems);
  return "request" in parsed && problems.length === 0 ? parsed : { problems };
}

/** Unvalidated option values: a value may be missing or unexpected. */
interface OptionValues {
  readonly json?: unknown;
  readonly month?: unknown;
  readonly file?: unknown;
  readonly at?: unknown;
  readonly url?: unknown;
  readonly type?: unknown;
}

function parseWords([subcommand = "start", ...words]: readonly string[], options: OptionValues): ParsedArguments {
  switch (subcommand) {
    case "start":
    case "service":
    case "init":
    case "doctor":
    case "rebuild":
      return rejectExtraWords({ kind: subcommand }, subcommand, words);
    case "help":
      return { request: { kind: "help" } };
    case "backup":
    case "restore":
      return parseFile(subcommand, words);
    default:
      return parseDetailed(subcommand, words, options);
  }
}

/** Parses the subcommands with options or actions of their own. */
function parseDetailed(subcommand: string, words: readonly string[], options: OptionValues): ParsedArguments {
  switch (subcommand) {
    case "extract":
      return parseExtract(words, options.json !== undefined);
    case "read":
      return parseRead(words, options);
    case "sources":
      return parseSources(words);
    case "coverage":
      return parseCoverage(words, options);
    case "keys":
      return parseKeys(words);
    case "migrate":
      return parseMigrate(words);
    default:
      return { problems: [unknownWord("subcommand", subcommand, SUBCOMMANDS)] };
  }
}

function parseExtract([file, ...extraWords]: readonly string[], json: boolean): ParsedArguments {
  if (file === undefined) return { request: { kind: "extract", file: null, json } };
  if (file === "") return { problems: ['FILE: got "", expected the name of a file, or nothing for standard input'] };
  return rejectExtraWords({ kind: "extract", file, json }, `extract ${file}`, extraWords);
}

function parseRead([source = "", ...files]: readonly string[], options: OptionValues): ParsedArguments {
  const texts = (["at", "url", "type"] as const).map((name) => [name, options[name] ?? null] as const);
  const problems = [
    ...(source === "" ? ['SOURCE: got nothing, expected the name of a source, as in "read nasdaq notice.html"'] : []),
    ...(source !== "" && files.length === 0
      ? [`FILE: got nothing, expected captured documents or -, as in "read ${source} FILE"`]
      : []),
    ...(files.includes("") ? ['FILE: got "", expected the name of a file, or - for standard input'] : []),
    ...texts.flatMap(([name, value]) => (isOptionText(value) ? [] : [`--${name}: got nothing, expected a value`])),
  ];
  if (problems.length > 0) return { problems };
  const values = Object.fromEntries(texts) as Readonly<Record<"at" | "url" | "type", string | null>>;
  return { request: { kind: "read", source, files, ...values, json: options.json !== undefined } };
}

function isOptionText(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && value !== "");
}

function parseSources([action, folder = "", ...extraWords]: readonly string[]): ParsedArguments {
  if (action !== "record") return { problems: [unknownWord("sources", action, SOURCES_ACTIONS)] };
  if (folder === "")
    return { problems: ['DIR: got nothing, expected the name of a folder, as in "sources record DIR"'] };
  return rejectExtraWords({ kind: "record", folder }, `sources record ${folder}`, extraWords);
}

function parseMigrate(words: readonly string[]): ParsedArguments {
  return words[0] === "status"
    ? rejectExtraWords({ kind: "migrate", apply: false }, "migrate status", words.slice(1))
    : rejectExtraWords({ kind: "migrate", apply: true }, "migrate", words);
}

const MONTH = /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/;

function parseCoverage(words: readonly string[], { month, file, json }: OptionValues): ParsedArguments {
  const fileProblems =
    file === undefined || (typeof file === "string" && file !== "")
      ? []
      : ['--file: got nothing, expected the name of a file, as in "coverage --month 2026-03 --file calendar.json"'];
  if (typeof month === "string" && MONTH.test(month)) {
    const request = {
      kind: "coverage",
      month,
      file: typeof file === "string" ? file : null,
      json: json !== undefined,
    } as const;
    return fileProblems.length > 0 ? { problems: fileProblems } : rejectExtraWords(request, "coverage", words);
  }
  const got = typeof month === "string" ? quoteValue(month) : "nothing";
  const problem = `--month: got ${got}, expected a month as in "coverage --month 2026-03"`;
  const unexpectedWords = words.filter((word) => typeof month === "string" || !MONTH.test(word));
  const parsed = rejectExtraWords({ kind: "help" }, "coverage", unexpectedWords);
  return { problems: [problem, ...fileProblems, ...("problems" in parsed ? parsed.problems : [])] };
}

function parseFile(kind: "backup" | "restore", [file = "", ...extraWords]: readonly string[]): ParsedArguments {
  if (file === "") return { problems: [`FILE: got nothing, expected the name of a file, as in "${kind} FILE"`] };
  if (kind === "restore" && file === "-")
    return {
      problems: [
        "FILE: got -, expected the name of a file: a backup is read twice, but standard input can be read only once",
      ],
    };
  return rejectExtraWords({ kind, file }, `${kind} ${file}`, extraWords);
}

function parseKeys([action, ...words]: readonly string[]): ParsedArguments {
  if (action === "list") return rejectExtraWords({ kind: "keys-list" }, "keys list", words);
  if (action !== "add" && action !== "revoke") return { problems: [unknownWord("keys", action, KEYS_ACTIONS)] };
  const [name, ...extraWords] = words;
  if (name === undefined || name.trim() === "") {
    return { problems: [`NAME: got nothing, expected the name of a key, as in "keys ${action} NAME"`] };
  }
  const parsed = rejectExtraWords({ kind: `keys-${action}`, name }, `keys ${action} ${name}`, extraWords);
  // Checked here too, so that it is reported together with the other problems.
  const problem = keyNameProblem(name);
  if (problem === null) return parsed;
  return { problems: [problem, ...("problems" in parsed ? parsed.problems : [])] };
}

function parseVersion(words: readonly string[]): ParsedArguments {
  return rejectExtraWords({ kind: "version" }, "--version", words);
}

function rejectExtraWords(request: Request, prefix: string, extraWords: readonly string[]): ParsedArguments {
  if (extraWords.length === 0) return { request };
  return { problems: extraWords.map((word) => `${prefix}: got the extra word ${quoteValue(word)}, expected none`) };
}

function unknownFlag(flag: string, allowed: readonly string[]): string {
  const use = OPTION_USES[flag];
  if (use !== undefined) return `option: got "${flag}", which ${use}`;
  const problem = unknownWord(
    "option",
    flag,
    allowed.map((name) => `--${name}`),
  );
  return `${problem}; everything else is set by environment variables and the settings file`;
}

export function unknownWord(subject: string, word: string | undefined, allowed: readonly string[]): string {
  const expected = `expected ${[allowed.slice(0, -1).join(", "), allowed.at(-1)].filter(Boolean).join(" or ")}`;
  if (word === undefined) return `${subject}: got nothing, ${expected}`;
  const suggestion = closestWord(word, allowed);
  return `${subject}: got ${quoteValue(word)}, ${expected}${suggestion === undefined ? "" : `; did you mean ${suggestion}?`}`;
}
