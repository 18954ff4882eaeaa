import { ConfigError } from "../config/index.ts";
import { readVersion } from "../lib/version.ts";
import { parseArguments, type Request } from "./arguments.ts";
import { EXIT, exitCodeOf, type Invocation } from "./invocation.ts";

/** Does what the arguments ask for. Resolves with the code that the process is to end with. */
export async function run(argv: readonly string[], invocation: Invocation): Promise<number> {
  const parsed = parseArguments(argv);
  if ("problems" in parsed) {
    for (const problem of parsed.problems) invocation.err(`splitwatch: ${problem}`);
    invocation.err("splitwatch help tells what there is.");
    return EXIT.misused;
  }
  try {
    return await dispatch(parsed.request, invocation);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) invocation.err(`splitwatch: ${problem}`);
    return EXIT.misused;
  }
}

type FileRequest = Extract<Request, { readonly file: unknown }>;

/** Loads the subcommand that is asked for, and no other: `keys list` needs no web server. */
async function dispatch(request: Request, invocation: Invocation): Promise<number> {
  if ("file" in request) return dispatchFile(request, invocation);
  switch (request.kind) {
    case "start": {
      const [{ start }, { createApp }] = await Promise.all([import("./start.ts"), import("../app/app.ts")]);
      return start(invocation, createApp);
    }
    case "service": {
      const [{ service }, { createApp }] = await Promise.all([import("./service.ts"), import("../app/app.ts")]);
      return service(invocation, createApp);
    }
    case "doctor":
      return untilStopped((await import("./doctor/doctor.ts")).doctor(invocation), invocation);
    case "rebuild":
      return (await import("./rebuild.ts")).rebuild(invocation);
    case "help":
      invocation.out((await import("./help.ts")).HELP);
      return EXIT.done;
    case "version":
      invocation.out(readVersion());
      return EXIT.done;
    case "keys-add":
      return untilStopped((await import("./keys.ts")).addNamedKey(request.name, invocation), invocation);
    case "keys-list":
      return untilStopped((await import("./keys.ts")).printKeys(invocation), invocation);
    case "keys-revoke":
      return untilStopped((await import("./keys.ts")).revokeNamedKey(request.name, invocation), invocation);
  }
}

/** Reads or writes a file that is named. */
async function dispatchFile(request: FileRequest, invocation: Invocation): Promise<number> {
  switch (request.kind) {
    case "extract":
      return untilStopped((await import("./extract/extract.ts")).extract(request.file, invocation), invocation);
    case "backup":
      return (await import("./backup/backup.ts")).backup(request.file, invocation);
    case "restore":
      return (await import("./backup/restore.ts")).restore(request.file, invocation);
  }
}

/** A subcommand that ends by itself is not waited for once the process is to end. */
async function untilStopped(subcommand: Promise<number>, invocation: Invocation): Promise<number> {
  const first = await Promise.race([subcommand, invocation.stopRequested]);
  return typeof first === "number" ? first : exitCodeOf(first);
}
