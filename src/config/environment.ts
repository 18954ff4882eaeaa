import { resolve } from "node:path";
import { readTextSync } from "../lib/bounded-file.ts";
import { fileReadProblem, MISSING_FILE } from "../lib/error-text.ts";
import { dotEnvWarnings, parseDotEnv } from "./dot-env.ts";
import { misspelledVariables } from "./misspelled-variables.ts";
import { addressWithoutSecrets, invalid, quoteSetting, type SettingResult } from "./value-schemas.ts";
import { alternateName, FILE_SUFFIX, isSet, type Variables } from "./variable-values.ts";
import { CHOSEN_SECRET_EXPECTED, MIN_SECRET_LENGTH, type VariableDefinition } from "./variables.ts";

const MAX_DOT_ENV_BYTES = 1024 * 1024;
const MAX_SECRET_FILE_BYTES = 64 * 1024;

export type { Variables };

/** Messages about a configuration, one line each. They begin with the name of a variable or a key. */
export interface Findings {
  /** Prevent the start. */
  readonly problems: string[];
  /** Settings that are probably mistakes. */
  readonly warnings: string[];
}

/** Reads the defined variables from `env`, .env in `folder` and secret files. Blank values count as unset. */
export function readEnvironment(
  definitions: readonly VariableDefinition[],
  env: Variables,
  folder: string,
  { problems, warnings }: Findings,
): Variables {
  const dotEnv = readDotEnv(resolve(folder, ".env"), problems);
  const variables = withDotEnv(env, parseDotEnv(dotEnv));
  const names = definitions.flatMap(({ name, isSecret }) => (isSecret ? [name, name + FILE_SUFFIX] : [name]));
  warnings.push(...dotEnvWarnings(names, dotEnv));
  warnings.push(...misspelledVariables(definitions, variables));
  const directValues = definitions.map(
    ({ name, isLowerCaseToo = false }) => [name, readVariable(name, variables, isLowerCaseToo)] as const,
  );
  const fileValues = definitions
    .filter(({ isSecret }) => isSecret)
    .map(({ name }) => [name, readSecretFile(name, variables, folder, problems)] as const);
  return Object.fromEntries([...directValues, ...fileValues].filter(([, value]) => isSet(value)));
}

function readVariable(name: string, variables: Variables, isLowerCaseToo: boolean): string | undefined {
  const lowerCase = isLowerCaseToo ? variables[name.toLowerCase()] : undefined;
  return (isSet(lowerCase) ? lowerCase : variables[name])?.trim();
}

/** Adds the variables of .env that the environment of the process sets in neither form, NAME or NAME_FILE. */
function withDotEnv(env: Variables, dotEnv: Variables): Variables {
  const dotEnvEntries = Object.entries(dotEnv).filter(
    ([name]) => !isSet(env[name]) && !isSet(env[alternateName(name)]),
  );
  return { ...env, ...Object.fromEntries(dotEnvEntries) };
}

/** Returns the text of .env; empty without a readable file. */
function readDotEnv(path: string, problems: string[]): string {
  try {
    return readTextSync(path, MAX_DOT_ENV_BYTES);
  } catch (error) {
    if (fileReadProblem(error) !== MISSING_FILE) {
      problems.push(`.env: got ${path}, expected a readable file (${unreadableReason(error)})`);
    }
    return "";
  }
}

/** Value of a secret whose file can't be used: other checks must not report it as missing. It has the form of a token. */
const UNUSABLE_SECRET = "unusable-secret-file";

/** Returns the secret in the file that NAME_FILE names. A file that can't be used adds a problem. */
function readSecretFile(name: string, variables: Variables, folder: string, problems: string[]): string | undefined {
  const file = name + FILE_SUFFIX;
  const path = variables[file];
  if (!isSet(path)) return undefined;
  if (isSet(variables[name])) {
    problems.push(`${file}: got a path although ${name} is set too, expected only one of them`);
    return undefined;
  }
  const got = `${file}: got ${quoteSetting(path)}, expected`;
  try {
    const secret = readTextSync(resolve(folder, path), MAX_SECRET_FILE_BYTES).replace(/(?<![\r\n])[\r\n]+$/, "");
    if (isSet(secret)) return secret;
    problems.push(`${got} a file that contains the secret (it is empty)`);
  } catch (error) {
    problems.push(`${got} the path of a file that contains the secret (${unreadableReason(error)})`);
  }
  return UNUSABLE_SECRET;
}

/** Returns a short reason why a file could not be read. */
export function unreadableReason(error: unknown): string {
  const problem = fileReadProblem(error);
  return problem === undefined ? String(error) : `it ${problem}`;
}

/** Validated access to the variables. Adds every problem to `problems`. */
export interface EnvironmentReader extends Findings {
  readonly variables: Variables;
  /** Parses a variable. Returns undefined if it is unset, invalid or in an unusable file; an invalid value adds a problem. */
  readonly read: <T>(name: string, expected: string, parse: (text: string) => SettingResult<T>) => T | undefined;
}

/**
 * Creates a reader. Reports every token that an HTTP header can't contain, and every operator-chosen secret that is too
 * short.
 */
export function createEnvironmentReader(
  definitions: readonly VariableDefinition[],
  variables: Variables,
  { problems, warnings }: Findings,
): EnvironmentReader {
  const secrets = new Set(definitions.filter(({ isSecret }) => isSecret).map(({ name }) => name));
  const read: EnvironmentReader["read"] = (name, expected, parse) => {
    const text = variables[name];
    if (text === undefined || text === UNUSABLE_SECRET) return undefined;
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
  return { variables, problems, warnings, read };
}

const TOKEN = /^[\x21-\x7e]+$/;
