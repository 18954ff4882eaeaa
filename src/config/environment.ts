import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { quoteValue } from "./overlay.ts";

/** Everything that splitwatch reads from the environment, as .env.example lists it. */
export const VARIABLES = [
  "SPLITS_API_URL",
  "SPLITS_API_KEY",
  "SPLITWATCH_CONFIG",
  "DATA_DIR",
  "DATABASE_URL",
  "HOST",
  "PORT",
  "PUBLIC_URL",
  "ADMIN_TOKEN",
  "DISCORD_TOKEN",
  "DISCORD_API_URL",
  "SLACK_BOT_TOKEN",
  "SLACK_APP_TOKEN",
  "SLACK_SIGNING_SECRET",
  "SLACK_CLIENT_ID",
  "SLACK_CLIENT_SECRET",
  "SLACK_STATE_SECRET",
  "SLACK_PORT",
  "SLACK_API_URL",
  "ENCRYPTION_KEY",
  "LOG_LEVEL",
  "LOG_FORMAT",
] as const;

export type Variable = (typeof VARIABLES)[number];

/** Never shown, and each can be given as NAME_FILE too, the path of a file that holds it. */
export const SECRETS = [
  "SPLITS_API_KEY",
  "DATABASE_URL",
  "ADMIN_TOKEN",
  "DISCORD_TOKEN",
  "SLACK_BOT_TOKEN",
  "SLACK_APP_TOKEN",
  "SLACK_SIGNING_SECRET",
  "SLACK_CLIENT_SECRET",
  "SLACK_STATE_SECRET",
  "ENCRYPTION_KEY",
] as const satisfies readonly Variable[];

export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that are set, secrets from files among them. A blank one counts as not set. */
export type Environment = Readonly<Partial<Record<Variable, string>>>;

/** Reads .env in `folder` and the secrets' files; what cannot be read becomes a line of `problems`. */
export function readEnvironment(given: Variables, folder: string, problems: string[]): Environment {
  const variables = withDotEnv(given, folder, problems);
  const plain = VARIABLES.map((name) => [name, variables[name]?.trim()] as const);
  const fromFiles = SECRETS.map((name) => [name, readSecretFile(name, variables, folder, problems)] as const);
  return Object.fromEntries([...plain, ...fromFiles].filter(([, value]) => value !== undefined && value !== ""));
}

/** What the process was started with comes before what .env says. */
function withDotEnv(given: Variables, folder: string, problems: string[]): Variables {
  const dotEnv = readDotEnv(resolve(folder, ".env"), problems);
  const left = Object.entries(dotEnv).filter(([name]) => !isSet(given[name]) && !isSet(given[otherForm(name)]));
  return { ...given, ...Object.fromEntries(left) };
}

function readDotEnv(path: string, problems: string[]): Variables {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (error) {
    const reason = whyUnreadable(error);
    if (reason !== NO_SUCH_FILE) problems.push(`.env: got ${path}, expected a file that can be read (${reason})`);
    return {};
  }
}

/** NAME for NAME_FILE, and the other way round: a secret that is given in one form is not looked for in the other. */
function otherForm(name: string): string {
  return name.endsWith("_FILE") ? name.slice(0, -"_FILE".length) : `${name}_FILE`;
}

function readSecretFile(name: Variable, variables: Variables, folder: string, problems: string[]): string | undefined {
  const file = `${name}_FILE`;
  const path = variables[file];
  if (!isSet(path)) return undefined;
  if (isSet(variables[name])) {
    problems.push(`${file}: got a path although ${name} is set too, expected one of the two`);
    return undefined;
  }
  try {
    const secret = readFileSync(resolve(folder, path), "utf8").replace(/[\r\n]+$/, "");
    if (secret.trim() === "")
      problems.push(`${file}: got ${quoteValue(path)}, expected a file that holds the secret (it is empty)`);
    return secret;
  } catch (error) {
    problems.push(
      `${file}: got ${quoteValue(path)}, expected the path of a file that holds the secret (${whyUnreadable(error)})`,
    );
    return undefined;
  }
}

const NO_SUCH_FILE = "there is no such file";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: NO_SUCH_FILE,
  ENOTDIR: NO_SUCH_FILE,
  EACCES: "it may not be read",
  EISDIR: "it is a folder",
};

/** Why a file could not be read, in a few words. */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return REASONS[code] ?? code;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}
