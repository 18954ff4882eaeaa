import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { readTextSync } from "../lib/bounded-file.ts";
import { fileReadProblem, MISSING_FILE } from "../lib/error-text.ts";
import { addressWithoutSecrets, invalid, quoteSetting, type SettingResult } from "./value-schemas.ts";
import { CHOSEN_SECRET_EXPECTED, MIN_SECRET_LENGTH, type VariableDefinition } from "./variables.ts";

const MAX_DOT_ENV_BYTES = 1024 * 1024;
const MAX_SECRET_FILE_BYTES = 64 * 1024;

export type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the defined variables from `env`, .env in `folder` and secret files. Blank values count as unset. */
export function readEnvironment(
  definitions: readonly VariableDefinition[],
  env: Variables,
  folder: string,
  problems: string[],
): Variables {
  const variables = withDotEnv(env, folder, problems);
  const directValues = definitions.map(({ name }) => [name, variables[name]?.trim()] as const);
  const fileValues = definitions
    .filter(({ isSecret }) => isSecret)
    .map(({ name }) => [name, readSecretFile(name, variables, folder, problems)] as const);
  return Object.fromEntries([...directValues, ...fileValues].filter(([, value]) => isSet(value)));
}

/** Adds the variables of .env that the environment of the process doesn't set. */
function withDotEnv(env: Variables, folder: string, problems: string[]): Variables {
  const dotEnv = readDotEnv(resolve(folder, ".env"), problems);
  const dotEnvEntries = Object.entries(dotEnv).filter(
    ([name]) => !isSet(env[name]) && !isSet(env[alternateName(name)]),
  );
  return { ...env, ...Object.fromEntries(dotEnvEntries) };
}

function readDotEnv(path: string, problems: string[]): Variables {
  try {
    return parseEnv(readTextSync(path, MAX_DOT_ENV_BYTES));
  } catch (error) {
    if (fileReadProblem(error) !== MISSING_FILE) {
      problems.push(`.env: got ${path}, expected a readable file (${unreadableReason(error)})`);
    }
    return {};
  }
}

/** Returns NAME for NAME_FILE and vice versa. Either form in the process environment overrides both forms in .env. */
function alternateName(name: string): string {
  return name.endsWith("_FILE") ? name.slice(0, -"_FILE".length) : `${name}_FILE`;
}

function readSecretFile(name: string, variables: Variables, folder: string, problems: string[]): string | undefined {
  const file = `${name}_FILE`;
  const path = variables[file];
  if (!isSet(path)) return undefined;
  if (isSet(variables[name])) {
    problems.push(`${file}: got a path although ${name} is set too, expected only one of them`);
    return undefined;
  }
  const got = `${file}: got ${quoteSetting(path)}, expected`;
  try {
    const secret = readTextSync(resolve(folder, path), MAX_SECRET_FILE_BYTES).replace(/[\r\n]+$/, "");
    if (!isSet(secret)) problems.push(`${got} a file that contains the secret (it is empty)`);
    return secret;
  } catch (error) {
    problems.push(`${got} the path of a file that contains the secret (${unreadableReason(error)})`);
    return undefined;
  }
}

/** Returns a short reason why a file could not be read. */
export function unreadableReason(error: unknown): string {
  const problem = fileReadProblem(error);
  return problem === undefined ? String(error) : `it ${problem}`;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}

/** Validated access to the variables. Adds every problem to `problems`. */
export interface EnvironmentReader {
  readonly variables: Variables;
  readonly problems: string[];
  /** Parses a variable. Returns undefined if it is unset or invalid; an invalid value adds a problem. */
  readonly read: <T>(name: string, expected: string, parse: (text: string) => SettingResult<T>) => T | undefined;
}

/**
 * Creates a reader. Reports every token that an HTTP header can't contain, and every operator-chosen secret that is too
 * short.
 */
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
    const got = secrets.has(name) ? "an invalid value" : quoteSetting(addressWithoutSecrets(text));
    const detail = result.problem === null ? "" : ` (${result.problem})`;
    problems.push(`${name}: got ${got}, expected ${expected}${detail}`);
    return undefined;
  };
  for (const { name, isToken, isChosen } of definitions) {
    if (isToken)
      read(name, "ASCII characters without spaces", (text) => (TOKEN.test(text) ? { value: text } : invalid()));
    const length = variables[name]?.length ?? MIN_SECRET_LENGTH;
    if (isChosen && length < MIN_SECRET_LENGTH)
      problems.push(`${name}: got ${length} characters, expected ${CHOSEN_SECRET_EXPECTED}`);
  }
  return { variables, problems, read };
}

const TOKEN = /^[\x21-\x7e]+$/;
