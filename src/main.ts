#!/usr/bin/env node
import { EXIT_BY_SIGNAL, type Stop } from "./cli/invocation.ts";
import { run } from "./cli/run.ts";

let stopping = false;
const stopped = new Promise<Stop>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      // Whoever asks twice does not want to wait.
      if (stopping) process.exit(EXIT_BY_SIGNAL[signal]);
      stopping = true;
      resolve({ kind: "signal", signal });
    });
  }
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      if (stopping) console.error(error);
      stopping = true;
      resolve({ kind: "error", error });
    });
  }
});

const unread = new AbortController();
process.stdout.on("error", () => unread.abort());
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that has gone, such as `head`, is no reason to stop.
    if (error.code !== "EPIPE") throw error;
  });
}

const code = await run(process.argv.slice(2), {
  env: process.env,
  folder: process.cwd(),
  terminal: process.stderr.isTTY,
  out: (line) => console.log(line),
  drained: () => (process.stdout.writableNeedDrain ? written(process.stdout) : Promise.resolve()),
  err: (line) => console.error(line),
  input: () => process.stdin,
  outputClosed: unread.signal,
  stopRequested: stopped,
}).catch((error: unknown) => {
  console.error(error instanceof Error ? `splitwatch: ${error.message}` : error);
  return 1;
});
// Who reads slower than we write still gets all of it, unless we are told to end.
await Promise.race([Promise.all([written(process.stdout), written(process.stderr)]), stopped]);
process.exit(code);

/** Resolves when all that was printed has been passed on, or cannot be any more. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}
