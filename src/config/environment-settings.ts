import { isIP } from "node:net";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { isLoopback, withoutBrackets } from "../lib/loopback.ts";
import { type ProxyVariables, parseProxy } from "../lib/proxies.ts";
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "../ports/log.ts";
import type { EnvironmentReader, Variables } from "./environment.ts";
import {
  ADDRESS_EXPECTED,
  alternatives,
  invalid,
  isMailAddress,
  readAddress,
  readApiAddress,
  readPort,
  type SettingResult,
} from "./value-schemas.ts";
import type { GeneralVariable } from "./variables.ts";

export const DEFAULT_PORT = 8080;

/** General settings from the environment. Addresses have no trailing slash. */
export interface EnvironmentSettings {
  /** Absolute path. */
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** External address; null if it isn't set. */
  readonly publicUrl: string | null;
  readonly adminToken: string | null;
  /** Remote data service and its optional key; null for the embedded service. */
  readonly splitsApi: { readonly url: string; readonly key: string | null } | null;
  /** Mail or web address of the operator, sent to the sources; null if it isn't set. */
  readonly contact: string | null;
  readonly proxies: ProxyVariables;
  readonly log: { readonly level: LogLevel; readonly format: LogFormat };
}

/** Reads the general settings. `isTerminal` is true if the log is written to a terminal. */
export function readEnvironmentSettings(
  reader: EnvironmentReader,
  folder: string,
  isTerminal: boolean,
): EnvironmentSettings {
  const { problems } = reader;
  const variables: Variables & Partial<Record<GeneralVariable, string>> = reader.variables;
  const read = <T>(name: GeneralVariable, expected: string, parse: (text: string) => SettingResult<T>): T | undefined =>
    reader.read(name, expected, parse);
  const host = read("HOST", "a host name or an IP address, such as 127.0.0.1 or 0.0.0.0", readHost) ?? "127.0.0.1";
  if (variables.ADMIN_TOKEN === undefined && !isLoopback(host)) {
    problems.push(`ADMIN_TOKEN: got nothing, expected a token, because other machines can reach HOST ${host}`);
  }
  const port =
    read("PORT", "a port from 0 to 65535, where 0 picks any free port", (text) => readPort(text, 0)) ?? DEFAULT_PORT;
  return {
    dataDir: resolve(folder, read("DATA_DIR", "the path of a folder, such as ./data", readFolder) ?? "./data"),
    host,
    port,
    publicUrl: read("PUBLIC_URL", ADDRESS_EXPECTED, readAddress) ?? null,
    adminToken: variables.ADMIN_TOKEN ?? null,
    splitsApi: readSplitsApi(reader, host, port),
    contact: read("SPLITWATCH_CONTACT", CONTACT_EXPECTED, readContact) ?? null,
    proxies: readProxies(reader),
    log: readLog(reader, isTerminal),
  };
}

const PROXY_EXPECTED = "the address of a proxy, such as http://proxy.example.com:3128";

function readProxies({ read, variables }: EnvironmentReader): ProxyVariables {
  const readProxy = (name: GeneralVariable): string | undefined =>
    read(name, PROXY_EXPECTED, (text) => (parseProxy(text) === null ? invalid() : { value: text }));
  return {
    HTTPS_PROXY: readProxy("HTTPS_PROXY"),
    HTTP_PROXY: readProxy("HTTP_PROXY"),
    NO_PROXY: variables.NO_PROXY,
  };
}

/** A shell expands `~`, but .env, systemd and containers don't: the state would be in a folder with this name. */
function readFolder(path: string): SettingResult<string> {
  return /^~(?=\/|$)/.test(path)
    ? invalid(`"~" isn't expanded; write ${path.replace("~", homedir())}`)
    : { value: path };
}

function readLog({ read }: EnvironmentReader, isTerminal: boolean): EnvironmentSettings["log"] {
  const level = read("LOG_LEVEL", alternatives(LOG_LEVELS), (text) => readWord(text, LOG_LEVELS));
  const format = read("LOG_FORMAT", alternatives(LOG_FORMATS), (text) => readWord(text, LOG_FORMATS));
  return { level: level ?? "info", format: format ?? (isTerminal ? "pretty" : "json") };
}

const CONTACT_EXPECTED = "a mail address, such as ops@example.com, or an http or https address";

function readContact(text: string): SettingResult<string> {
  return isMailAddress(text) ? { value: text } : readAddress(text);
}

function readHost(text: string): SettingResult<string> {
  const address = withoutBrackets(text);
  const isName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(address);
  return isName || isIP(address) !== 0 ? { value: address } : invalid();
}

function readWord<const T extends string>(text: string, words: readonly T[]): SettingResult<T> {
  const word = words.find((candidate) => candidate === text.toLowerCase());
  return word === undefined ? invalid() : { value: word };
}

function readSplitsApi(
  { variables, problems, warnings, read }: EnvironmentReader,
  host: string,
  port: number,
): EnvironmentSettings["splitsApi"] {
  const key = variables.SPLITS_API_KEY ?? null;
  if (key !== null && variables.SPLITS_API_URL === undefined)
    warnings.push("SPLITS_API_KEY: not used, because SPLITS_API_URL is not set; set the address of the data service");
  const url = read("SPLITS_API_URL", ADDRESS_EXPECTED, readApiAddress);
  if (url === undefined) return null;
  if (isOwnAddress(url, host, port)) {
    problems.push(
      `SPLITS_API_URL: got "${url}", which is the address of splitwatch itself (HOST and PORT), expected that of another data service; remove it to use the embedded one`,
    );
  }
  return { url, key };
}

/** True if a server that listens on the host and port answers at the address. */
function isOwnAddress(url: string, host: string, port: number): boolean {
  const { hostname, port: addressPort, protocol } = new URL(url);
  const name = withoutBrackets(hostname);
  const isSamePort = Number(addressPort) === port && protocol === "http:";
  return isSamePort && (name === host || (isLoopback(name) && (isLoopback(host) || WILDCARDS.includes(host))));
}

const WILDCARDS = ["0.0.0.0", "::"];
