import { ConfigError } from "../config/index.ts";
import { readVersion } from "../lib/version.ts";
import { parseArguments, type Request } from "./arguments.ts";
import { type CommandLine, EXIT, exitCodeOf } from "./invocation.ts";

/** Does what the arguments ask for. Resolves with the code that the process is to end with. */
export async function run(argv: readonly string[], line: CommandLine): Promise<number> {
  const parsed = parseArguments(argv);
  if ("problems" in parsed) {
    for (const problem of parsed.problems) line.err(`splitwatch: ${problem}`);
    line.err("splitwatch help tells what there is.");
    return EXIT.misused;
  }
  try {
    return await dispatch(parsed.request, line);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) line.err(`splitwatch: ${problem}`);
    return EXIT.misused;
  }
}

type FileRequest = Extract<Request, { readonly file: unknown }>;

/** Loads the subcommand that is asked for, and no other: `keys list` needs no web server. */
async function dispatch(request: Request, line: CommandLine): Promise<number> {
  if ("file" in request) return dispatchFile(request, line);
  switch (request.kind) {
    case "start": {
      const [{ start }, { createApp }] = await Promise.all([import("./start.ts"), import("../app/app.ts")]);
      return start(line, createApp);
    }
    case "service": {
      const [{ service }, { createApp }] = await Promise.all([import("./service.ts"), import("../app/app.ts")]);
      return service(line, createApp);
    }
    case "doctor":
      return untilStopped((await import("./doctor/doctor.ts")).doctor(line), line);
    case "rebuild":
      return (await import("./rebuild.ts")).rebuild(line);
    case "help":
      line.out((await import("./help.ts")).HELP);
      return EXIT.done;
    case "version":
      line.out(readVersion());
      return EXIT.done;
    case "keys-add":
      return untilStopped((await import("./keys.ts")).addNamedKey(request.name, line), line);
    case "keys-list":
      return untilStopped((await import("./keys.ts")).printKeys(line), line);
    case "keys-revoke":
      return untilStopped((await import("./keys.ts")).revokeNamedKey(request.name, line), line);
  }
}

/** Reads or writes a file that is named. */
async function dispatchFile(request: FileRequest, line: CommandLine): Promise<number> {
  switch (request.kind) {
    case "extract":
      return untilStopped((await import("./extract/extract.ts")).extract(request.file, line), line);
    case "backup":
      return (await import("./backup/backup.ts")).backup(request.file, line);
    case "restore":
      return (await import("./backup/restore.ts")).restore(request.file, line);
  }
}

/** A subcommand that ends by itself is not waited for once the process is to end. */
async function untilStopped(subcommand: Promise<number>, line: CommandLine): Promise<number> {
  const first = await Promise.race([subcommand, line.stopped]);
  return typeof first === "number" ? first : exitCodeOf(first);
}
