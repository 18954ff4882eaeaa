import { parseArgs } from "node:util";
import { keyNameProblem } from "../data-service/server/key-name.ts";
import { closestWord } from "../lib/closest-word.ts";

/** What the arguments ask for. */
export type Request =
  | { readonly kind: "start" | "service" | "doctor" | "rebuild" | "keys-list" | "help" | "version" }
  | { readonly kind: "extract"; readonly file: string | null }
  | { readonly kind: "backup" | "restore"; readonly file: string }
  | { readonly kind: "keys-add" | "keys-revoke"; readonly name: string };

export type ParsedArguments = { readonly request: Request } | { readonly problems: readonly string[] };

const SUBCOMMANDS = ["start", "service", "doctor", "extract", "rebuild", "keys", "backup", "restore", "help"];
const KEYS_ACTIONS = ["add", "list", "revoke"];
const FLAGS = ["--help", "--version"];

/** Reads the words after `splitwatch`: what they ask for, or all that is wrong with them. */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  const { values, tokens, positionals } = parseArgs({
    args: [...argv],
    options: { help: { type: "boolean", short: "h" }, version: { type: "boolean", short: "v" } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  if (values.help !== undefined) return { request: { kind: "help" } };
  const problems = tokens.flatMap((token) =>
    token.kind === "option" && token.name !== "version" ? [unknownFlag(token.rawName)] : [],
  );
  const parsed = values.version === undefined ? parseWords(positionals) : justVersion(positionals);
  if ("problems" in parsed) problems.push(...parsed.problems);
  return "request" in parsed && problems.length === 0 ? parsed : { problems };
}

function parseWords([subcommand = "start", ...rest]: readonly string[]): ParsedArguments {
  switch (subcommand) {
    case "start":
    case "service":
    case "doctor":
    case "rebuild":
      return alone({ kind: subcommand }, subcommand, rest);
    case "help":
      return { request: { kind: "help" } };
    case "extract":
      return parseExtract(rest);
    case "keys":
      return parseKeys(rest);
    case "backup":
    case "restore":
      return parseFile(subcommand, rest);
    default:
      return { problems: [wrongWord("subcommand", subcommand, SUBCOMMANDS)] };
  }
}

function parseExtract([file, ...more]: readonly string[]): ParsedArguments {
  if (file === undefined) return { request: { kind: "extract", file: null } };
  if (file === "") return { problems: ['FILE: got "", expected the name of a file, or nothing for standard input'] };
  return alone({ kind: "extract", file }, `extract ${file}`, more);
}

function parseFile(kind: "backup" | "restore", [file = "", ...more]: readonly string[]): ParsedArguments {
  if (file === "") return { problems: [`FILE: got nothing, expected the name of a file, as in "${kind} FILE"`] };
  if (kind === "restore" && file === "-")
    return { problems: ["FILE: got -, expected the name of a file: it is read twice, which standard input cannot be"] };
  return alone({ kind, file }, `${kind} ${file}`, more);
}

function parseKeys([action, ...rest]: readonly string[]): ParsedArguments {
  if (action === "list") return alone({ kind: "keys-list" }, "keys list", rest);
  if (action !== "add" && action !== "revoke") return { problems: [wrongWord("keys", action, KEYS_ACTIONS)] };
  const [name, ...more] = rest;
  if (name === undefined || name.trim() === "") {
    return { problems: [`NAME: got nothing, expected the name of a key, as in "keys ${action} NAME"`] };
  }
  const parsed = alone({ kind: `keys-${action}`, name }, `keys ${action} ${name}`, more);
  // Asked here too, so that it is told with all else that is wrong.
  const problem = keyNameProblem(name);
  if (problem === null) return parsed;
  return { problems: [problem, ...("problems" in parsed ? parsed.problems : [])] };
}

function justVersion(words: readonly string[]): ParsedArguments {
  return alone({ kind: "version" }, "--version", words);
}

function alone(request: Request, before: string, rest: readonly string[]): ParsedArguments {
  if (rest.length === 0) return { request };
  return { problems: rest.map((word) => `${before}: got ${JSON.stringify(word)} after it, expected nothing more`) };
}

function unknownFlag(flag: string): string {
  return `${wrongWord("option", flag, FLAGS)}; everything else is set by environment variables and a settings file`;
}

function wrongWord(what: string, word: string | undefined, allowed: readonly string[]): string {
  const expected = `expected ${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}`;
  if (word === undefined) return `${what}: got nothing, ${expected}`;
  const meant = closestWord(word, allowed);
  return `${what}: got ${JSON.stringify(word)}, ${expected}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}
