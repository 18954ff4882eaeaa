import { DatabaseError } from "pg";
import { errorMessage } from "../../../lib/error-text.ts";
import { StoreError, StoreSettingError } from "../../../ports/store.ts";
import type { DatabaseAddress } from "./settings.ts";

/** SQLSTATE codes and, with two characters, their classes. See PostgreSQL's appendix "Error Codes". */
const RESOURCES = "53";
const READ_ONLY = "25006";
/** A lock was not available within the limit. */
const LOCKED = "55P03";
/** A statement took longer than its limit, or an administrator cancelled it. */
const CANCELLED = "57014";
const CONFLICTS = new Set(["40001", "40P01"]);

/**
 * Converts an error of the driver or the server to a StoreError that says what to do. The original error is its cause. `hasConnected`:
 * whether the address was right before.
 */
export function asStoreError(error: unknown, address: DatabaseAddress, hasConnected = false): StoreError {
  if (error instanceof StoreError) return error;
  const setting = hasConnected && isMissingSocket(error) ? null : settingProblem(error, address);
  if (setting !== null) return new StoreSettingError(setting, { cause: error });
  return new StoreError(`database: ${problemOf(error, address)}`, { cause: error });
}

/** True if the error shows that the connection can't be used any more. */
export function breaksConnection(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return error.severity === "FATAL" || error.severity === "PANIC" || error.code === READ_ONLY;
}

/** True if the cause may be gone soon: the server restarts, another server takes over, or the network is interrupted. */
export function isOutage(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error;
  if (error instanceof StoreSettingError || cause === undefined) return false;
  if (!(cause instanceof DatabaseError)) return true;
  const { code = "" } = cause;
  return breaksConnection(cause) || code.startsWith("08") || code.startsWith(RESOURCES);
}

/** True if the server answers, but writes nothing: it is a standby, or its disk is full. */
export function failsOnlyWrites(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === READ_ONLY || error.code === "53100");
}

/** The error of a server for a write that it doesn't allow. */
export function readOnlyError(): DatabaseError {
  return Object.assign(new DatabaseError("the transaction is read-only", 0, "error"), {
    severity: "ERROR",
    code: READ_ONLY,
  });
}

/** True for a deadlock or a conflict of transactions: the same transaction succeeds when it is repeated. */
export function isConflict(error: unknown): boolean {
  return error instanceof StoreError && CONFLICTS.has(codeOf(error.cause) ?? "");
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** True if there is no Unix socket at the address. A server that restarts removes it for some time. */
function isMissingSocket(error: unknown): boolean {
  return codeOf(error) === "ENOENT" && error instanceof Error && "syscall" in error && error.syscall === "connect";
}

/** Problem that only another setting or other rights solve; null for other problems. */
function settingProblem(error: unknown, { user, server, database }: DatabaseAddress): string | null {
  const message = errorMessage(error);
  switch (codeOf(error) ?? "") {
    case "28P01":
      return `DATABASE_URL: ${server} refused the password of user ${user}; correct the password`;
    case "28000":
      return `DATABASE_URL: ${server} refused user ${user} (${message}); allow the user in pg_hba.conf, or add ?sslmode=require`;
    case "3D000":
      return `DATABASE_URL: ${server} has no database ${database}; create it (createdb ${database}) or correct the name`;
    case "42501":
      return `database: user ${user} lacks rights (${message}); make the user the owner of database ${database}`;
    case "ENOENT":
    case "EACCES":
      return `DATABASE_URL: a file can't be used (${message}); correct the path of the socket or certificate`;
    default:
      return tlsProblem(error, message, server);
  }
}

function tlsProblem(error: unknown, message: string, server: string): string | null {
  if (message.includes("does not support SSL"))
    return `DATABASE_URL: ${server} doesn't offer TLS; enable it in PostgreSQL (ssl = on), or remove sslmode`;
  const isCertificate = /CERT|SIGNATURE|ALTNAME|ISSUER/.test(codeOf(error) ?? "");
  if (!isCertificate) return null;
  return `DATABASE_URL: the certificate of ${server} isn't trusted (${message}); set sslrootcert to its authority's certificate`;
}

function problemOf(error: unknown, { server, database }: DatabaseAddress): string {
  const code = codeOf(error);
  if (code === "53300")
    return `${server} has no free connection; raise max_connections in PostgreSQL, or run fewer processes`;
  if (code?.startsWith(RESOURCES) === true)
    return `${server} lacks resources (${errorMessage(error)}); free disk space or memory of the database server`;
  if (code === LOCKED)
    return `another session has locked rows or tables of ${database} for too long; find it in pg_stat_activity, and end it if it stays`;
  if (code === CANCELLED)
    return `a statement in ${database} was cancelled (${errorMessage(error)}); check the load and the locks of the server if it repeats`;
  if (code === READ_ONLY)
    return `${server} is read-only; check that DATABASE_URL names the primary server, and that its disk isn't full`;
  if (error instanceof DatabaseError && error.severity === "ERROR")
    return `a statement failed in ${database} (${error.message}, ${code}); report it if it repeats`;
  return `no connection to ${server} (${connectionProblem(error)}); check that PostgreSQL runs there and is reachable`;
}

/** An address with several IP addresses causes an error without a message. */
function connectionProblem(error: unknown): string {
  return errorMessage(error) || (codeOf(error) ?? "unknown reason");
}
