import { readVersion } from "../lib/package.ts";
import { HELP, parseArguments, type Request } from "./arguments.ts";
import { EXIT, exitCodeOf, type Invocation } from "./invocation.ts";

/** Runs the subcommand that the arguments name. Resolves with the exit code. */
export async function run(argv: readonly string[], invocation: Invocation): Promise<number> {
  const parsed = parseArguments(argv);
  if ("problems" in parsed) {
    for (const problem of parsed.problems) invocation.err(`splitwatch: ${problem}`);
    invocation.err("Run `splitwatch help` for a list of subcommands.");
    return EXIT.usage;
  }
  try {
    return await dispatch(parsed.request, invocation);
  } catch (error) {
    const { ConfigError } = await import("../config/index.ts");
    if (!(error instanceof ConfigError)) throw error;
    // A misspelled name may explain why another variable is missing.
    for (const line of [...error.problems, ...error.warnings]) invocation.err(`splitwatch: ${line}`);
    return EXIT.usage;
  }
}

/** Requests that name files or a folder. */
type FileRequest = Extract<
  Request,
  { readonly file: unknown } | { readonly files: unknown } | { readonly folder: unknown }
>;

function isFileRequest(request: Request): request is FileRequest {
  return "file" in request || "files" in request || "folder" in request;
}

/** Imports only the subcommand that runs: `keys list` needs no web server. */
async function dispatch(request: Request, invocation: Invocation): Promise<number> {
  if (isFileRequest(request)) return dispatchFile(request, invocation);
  if (isKeysRequest(request)) return untilStopped(dispatchKeys(request, invocation), invocation);
  switch (request.kind) {
    case "start": {
      const [{ start }, { createApp }] = await Promise.all([import("./start.ts"), import("../app/app.ts")]);
      return start(invocation, createApp);
    }
    case "service": {
      const [{ service }, { createApp }] = await Promise.all([import("./start.ts"), import("../app/app.ts")]);
      return service(invocation, createApp);
    }
    case "init":
      return (await import("./init/init.ts")).init(invocation);
    case "doctor":
      return untilStopped((await import("./doctor.ts")).doctor(invocation), invocation);
    case "rebuild":
      return (await import("./rebuild.ts")).rebuild(invocation);
    case "migrate":
      return (await import("./migrate.ts")).migrate(request, invocation);
    case "help":
      invocation.out(HELP);
      return EXIT.ok;
    case "version":
      invocation.out(readVersion());
      return EXIT.ok;
  }
}

type KeysRequest = Extract<Request, { readonly kind: `keys-${string}` }>;

function isKeysRequest(request: Request): request is KeysRequest {
  return request.kind.startsWith("keys-");
}

async function dispatchKeys(request: KeysRequest, invocation: Invocation): Promise<number> {
  const { addNamedKey, printKeys, revokeNamedKey } = await import("./keys.ts");
  switch (request.kind) {
    case "keys-add":
      return addNamedKey(request.name, invocation);
    case "keys-list":
      return printKeys(invocation);
    case "keys-revoke":
      return revokeNamedKey(request.name, invocation);
  }
}

async function dispatchFile(request: FileRequest, invocation: Invocation): Promise<number> {
  switch (request.kind) {
    case "extract":
      return untilStopped((await import("./extract.ts")).extract(request, invocation), invocation);
    case "coverage":
      return untilStopped((await import("./coverage.ts")).coverage(request, invocation), invocation);
    case "read":
      return untilStopped((await import("./read.ts")).read(request, invocation), invocation);
    case "record":
      return (await import("./record.ts")).record(request.folder, invocation);
    case "backup":
      return (await import("./backup/backup.ts")).backup(request.file, invocation);
    case "restore":
      return (await import("./backup/restore.ts")).restore(request.file, invocation);
  }
}

/** Stops waiting for a subcommand when a stop is requested. */
async function untilStopped(subcommand: Promise<number>, invocation: Invocation): Promise<number> {
  const result = await Promise.race([subcommand, invocation.stopRequested]);
  return typeof result === "number" ? result : exitCodeOf(result);
}
