import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { fileReadProblem, MISSING_FILE } from "../lib/error-text.ts";
import { addressWithoutSecrets, invalid, quoteSetting, type SettingResult } from "./value-schemas.ts";
import type { VariableDefinition } from "./variables.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the known variables from `given`, .env in `folder` and secret files. Blank values count as not set. */
export function readEnvironment(
  definitions: readonly VariableDefinition[],
  given: Variables,
  folder: string,
  problems: string[],
): Variables {
  const variables = withDotEnv(given, folder, problems);
  const plain = definitions.map(({ name }) => [name, variables[name]?.trim()] as const);
  const fromFiles = definitions
    .filter(({ isSecret }) => isSecret)
    .map(({ name }) => [name, readSecretFile(name, variables, folder, problems)] as const);
  return Object.fromEntries([...plain, ...fromFiles].filter(([, value]) => isSet(value)));
}

/** Variables of the process take precedence over those in .env. */
function withDotEnv(given: Variables, folder: string, problems: string[]): Variables {
  const dotEnv = readDotEnv(resolve(folder, ".env"), problems);
  const added = Object.entries(dotEnv).filter(([name]) => !isSet(given[name]) && !isSet(given[otherForm(name)]));
  return { ...given, ...Object.fromEntries(added) };
}

function readDotEnv(path: string, problems: string[]): Variables {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (error) {
    if (fileReadProblem(error) !== MISSING_FILE) {
      problems.push(`.env: got ${path}, expected a file that can be read (${unreadableReason(error)})`);
    }
    return {};
  }
}

/** NAME for NAME_FILE and vice versa: a secret of the process hides both forms in .env. */
function otherForm(name: string): string {
  return name.endsWith("_FILE") ? name.slice(0, -"_FILE".length) : `${name}_FILE`;
}

function readSecretFile(name: string, variables: Variables, folder: string, problems: string[]): string | undefined {
  const file = `${name}_FILE`;
  const path = variables[file];
  if (!isSet(path)) return undefined;
  if (isSet(variables[name])) {
    problems.push(`${file}: got a path although ${name} is set too, expected one of the two`);
    return undefined;
  }
  const got = `${file}: got ${quoteSetting(path)}, expected`;
  try {
    const secret = readFileSync(resolve(folder, path), "utf8").replace(/[\r\n]+$/, "");
    if (!isSet(secret)) problems.push(`${got} a file that holds the secret (it is empty)`);
    return secret;
  } catch (error) {
    problems.push(`${got} the path of a file that holds the secret (${unreadableReason(error)})`);
    return undefined;
  }
}

/** Explains in a few words why a file could not be read. */
export function unreadableReason(error: unknown): string {
  const problem = fileReadProblem(error);
  return problem === undefined ? String(error) : `it ${problem}`;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}

/** Variables with their validation. Problems of all readers are collected in `problems`. */
export interface EnvironmentReader {
  readonly variables: Variables;
  readonly problems: string[];
  /** Value of a variable; undefined if it is not set, or invalid, which is a problem. */
  readonly read: <T>(name: string, expected: string, parse: (text: string) => SettingResult<T>) => T | undefined;
}

/** Also checks the form of every token. */
export function createEnvironmentReader(
  definitions: readonly VariableDefinition[],
  variables: Variables,
  problems: string[],
): EnvironmentReader {
  const secrets = new Set(definitions.filter(({ isSecret }) => isSecret).map(({ name }) => name));
  const read: EnvironmentReader["read"] = (name, expected, parse) => {
    const text = variables[name];
    if (text === undefined) return undefined;
    const result = parse(text);
    if ("value" in result) return result.value;
    const got = secrets.has(name) ? "something else" : quoteSetting(addressWithoutSecrets(text));
    const detail = result.problem === null ? "" : ` (${result.problem})`;
    problems.push(`${name}: got ${got}, expected ${expected}${detail}`);
    return undefined;
  };
  for (const { name, isToken } of definitions)
    if (isToken)
      read(name, "ASCII characters without blanks", (text) => (TOKEN.test(text) ? { value: text } : invalid()));
  return { variables, problems, read };
}

const TOKEN = /^[\x21-\x7e]+$/;
