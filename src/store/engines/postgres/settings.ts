import { statSync } from "node:fs";
import { isLoopback, withoutBrackets } from "../../../lib/loopback.ts";

/** A validated DATABASE_URL. */
export interface DatabaseAddress {
  /** Contains the password: never part of a message. */
  readonly url: string;
  /** User, host, port and name of the database, for messages. */
  readonly user: string;
  readonly server: string;
  readonly database: string;
  readonly encryption: "none" | "unverified" | "verified";
  /** True if the connection doesn't leave this machine. */
  readonly isLocal: boolean;
}

export const ADDRESS_EXPECTED = "a PostgreSQL address, such as postgres://user:password@host:5432/name";

const SSL_MODES: Readonly<Record<string, DatabaseAddress["encryption"]>> = {
  disable: "none",
  require: "unverified",
  "verify-ca": "verified",
  "verify-full": "verified",
};

/** Parses a DATABASE_URL. Problems don't quote the value. */
export function readDatabaseAddress(
  text: string,
): { readonly value: DatabaseAddress } | { readonly problem: string | null } {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text) || !URL.canParse(text)) return { problem: null };
  const url = new URL(text);
  const problem = addressProblem(url);
  if (problem !== null) return { problem };
  const mode = sslModeOf(url);
  url.searchParams.set("sslmode", mode);
  // As libpq understands the modes: the driver would otherwise treat `require` as `verify-full`.
  url.searchParams.set("uselibpqcompat", "true");
  const user = decode(url.username) || "postgres";
  const host = hostOf(url);
  return {
    value: {
      url: url.href,
      user,
      server: host.startsWith("/") ? host : `${serverName(host)}:${url.port || "5432"}`,
      database: decode(url.pathname.slice(1)) || user,
      encryption: SSL_MODES[mode] ?? "none",
      isLocal: host === "" || host.startsWith("/") || isLoopback(host),
    },
  };
}

/** A host name, an IP address or the folder of a Unix socket. */
function hostOf({ hostname, searchParams }: URL): string {
  return searchParams.get("host") ?? decode(withoutBrackets(hostname)) ?? "";
}

function serverName(host: string): string {
  return host.includes(":") ? `[${host}]` : host || "localhost";
}

function sslModeOf({ searchParams }: URL): string {
  return searchParams.get("sslmode") ?? "disable";
}

function addressProblem(url: URL): string | null {
  const { hostname, username, password, pathname, searchParams } = url;
  const mode = sslModeOf(url);
  if (!Object.hasOwn(SSL_MODES, mode)) return `sslmode is one of ${Object.keys(SSL_MODES).join(", ")}`;
  if (mode === "verify-ca" && !searchParams.has("sslrootcert"))
    return "sslmode=verify-ca needs sslrootcert, the path of the authority's certificate";
  const unusable = TLS_FILES.find((name) => isNoFile(searchParams.get(name)));
  if (unusable !== undefined) return `${unusable} is the path of a regular file`;
  if (hostname.includes(",")) return "name one host, such as an address that follows the primary server";
  const misplaced = MISPLACED.find((name) => searchParams.has(name));
  if (misplaced !== undefined) return `name the user, the port and the database before the ?, instead of ${misplaced}=`;
  if (searchParams.has("ssl")) return "write sslmode=require or sslmode=verify-full instead of ssl=";
  if (password !== "" && searchParams.has("password")) return "give the password once: before the @ or as ?password=";
  const parts = [username, password, pathname].map(decode);
  if (parts.includes(null)) return "write a % sign as %25";
  return [...parts, ...searchParams.values()].some((part) => part?.includes("\0")) ? "remove the NUL character" : null;
}

/** Parameters that would replace what messages name. */
const MISPLACED = ["user", "port", "database", "dbname"];

/** Files that the driver reads synchronously at each connection: a pipe would block the process. */
const TLS_FILES = ["sslrootcert", "sslcert", "sslkey"];

/** A missing file passes here: the connection reports its path. */
function isNoFile(path: string | null): boolean {
  if (path === null) return false;
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  } catch {
    // Such as a loop of symbolic links.
    return true;
  }
}

/**
 * Passwords of a DATABASE_URL as the user knows them. A password that equals the name of the user or the database is left out: messages
 * contain these names.
 */
export function passwordsOf(text: string): readonly string[] {
  if (!URL.canParse(text)) return [];
  const { username, password, pathname, searchParams } = new URL(text);
  const names = ["", decode(username), decode(pathname.slice(1))];
  const passwords = [decode(password) ?? password, ...searchParams.getAll("password")];
  return passwords.filter((value) => !names.includes(value));
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
