import { isIP } from "node:net";
import { resolve } from "node:path";
import { readSlackApp, type SlackApp } from "../chat/slack/settings.ts";
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "../lib/log-options.ts";
import { addressWithoutSecrets, readAddress, readServiceAddress } from "./address.ts";
import { type Environment, SECRETS, type Variable } from "./environment.ts";
import { quoteValue } from "./overlay.ts";
import { alternatives, invalid, type SettingResult } from "./values.ts";

/** What the environment says. Addresses have no slash at their end. */
export interface Endpoints {
  /** Absolute. */
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Null: nobody said how the outside reaches us. */
  readonly publicUrl: string | null;
  readonly adminToken: string | null;
  /** The data service to read, and its key where it wants one. Null: the embedded one. */
  readonly splitsApi: { readonly url: string; readonly key: string | null } | null;
  /** The bot's token, and the REST base without a version where it is not Discord's own. Null: no Discord. */
  readonly discord: { readonly token: string; readonly apiUrl: string | null } | null;
  /** Null: no Slack. */
  readonly slackApp: SlackApp | null;
  readonly log: { readonly level: LogLevel; readonly format: LogFormat };
}

const ADDRESS = "an http or https address, such as https://splits.example.com";

/** Tokens travel in headers, which carry nothing else. */
const TOKENS = [
  "ADMIN_TOKEN",
  "DISCORD_TOKEN",
  "SLACK_BOT_TOKEN",
  "SLACK_APP_TOKEN",
  "SLACK_SIGNING_SECRET",
  "SLACK_CLIENT_ID",
  "SLACK_CLIENT_SECRET",
  "SLACK_STATE_SECRET",
] as const;

/** Checks the variables; what is wrong with them becomes lines of `problems`. `terminal`: the log goes to one. */
export function readEndpoints(env: Environment, folder: string, terminal: boolean, problems: string[]): Endpoints {
  const read = reader(env, problems);
  const host = read("HOST", "a host name or an IP address, such as 127.0.0.1 or 0.0.0.0", readHost) ?? "127.0.0.1";
  const url = read("SPLITS_API_URL", ADDRESS, readServiceAddress);
  const discordApiUrl = read("DISCORD_API_URL", ADDRESS, readAddress) ?? null;
  const slackReached = {
    port: read("SLACK_PORT", "a port from 1 to 65535", (text) => readPort(text, 1)),
    apiUrl: read("SLACK_API_URL", ADDRESS, readAddress),
  };
  checkForms(read);
  if (env.ADMIN_TOKEN === undefined && !isLoopback(host)) {
    problems.push(`ADMIN_TOKEN: got nothing, expected a token: HOST is ${host}, where others can reach the web page`);
  }
  return {
    dataDir: resolve(folder, env.DATA_DIR ?? "./data"),
    host,
    port: read("PORT", "a port from 0 to 65535, where 0 takes any free one", (text) => readPort(text, 0)) ?? 8080,
    publicUrl: read("PUBLIC_URL", ADDRESS, readAddress) ?? null,
    adminToken: env.ADMIN_TOKEN ?? null,
    splitsApi: url === undefined ? null : { url, key: env.SPLITS_API_KEY ?? null },
    discord: env.DISCORD_TOKEN === undefined ? null : { token: env.DISCORD_TOKEN, apiUrl: discordApiUrl },
    slackApp: readSlackApp(env, slackReached, problems),
    log: readLog(read, terminal),
  };
}

function readLog(read: Read, terminal: boolean): Endpoints["log"] {
  const level = read("LOG_LEVEL", alternatives(LOG_LEVELS), (text) => readWord(text, LOG_LEVELS));
  const format = read("LOG_FORMAT", alternatives(LOG_FORMATS), (text) => readWord(text, LOG_FORMATS));
  return { level: level ?? "info", format: format ?? (terminal ? "pretty" : "json") };
}

/** One variable's value; undefined where it is not set, or not right. */
type Read = <T>(name: Variable, expected: string, parse: (text: string) => SettingResult<T>) => T | undefined;

function reader(env: Environment, problems: string[]): Read {
  return (name, expected, parse) => {
    const text = env[name];
    if (text === undefined) return undefined;
    const reading = parse(text);
    if ("value" in reading) return reading.value;
    const detail = reading.problem === null ? "" : ` (${reading.problem})`;
    problems.push(`${name}: got ${gotText(name, text)}, expected ${expected}${detail}`);
    return undefined;
  };
}

function gotText(name: Variable, text: string): string {
  return SECRETS.some((secret) => secret === name) ? "something else" : quoteValue(addressWithoutSecrets(text));
}

/** The tokens, and the variables that nothing reads yet: a mistake in them is told now all the same. */
function checkForms(read: Read): void {
  for (const name of TOKENS) read(name, "ASCII characters without blanks", readToken);
  read("DATABASE_URL", "a PostgreSQL address, such as postgres://user:password@host:5432/name", (text) =>
    /^postgres(ql)?:\/\/\S+$/.test(text) ? { value: text } : invalid(),
  );
}

function readToken(text: string): SettingResult<string> {
  return /^[\x21-\x7e]+$/.test(text) ? { value: text } : invalid();
}

function readHost(text: string): SettingResult<string> {
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  const isName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(bare);
  return isName || isIP(bare) !== 0 ? { value: bare } : invalid();
}

function readPort(text: string, least: number): SettingResult<number> {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port >= least && port <= 65_535 ? { value: port } : invalid();
}

function readWord<const T extends string>(text: string, words: readonly T[]): SettingResult<T> {
  const word = words.find((candidate) => candidate === text.toLowerCase());
  return word === undefined ? invalid() : { value: word };
}

function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
