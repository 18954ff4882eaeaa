#!/usr/bin/env node
import { EXIT_BY_SIGNAL, type Stop } from "./cli/command-line.ts";
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
  err: (line) => console.error(line),
  stopped,
}).catch((error: unknown) => {
  console.error(error instanceof Error ? `splitwatch: ${error.message}` : error);
  return 1;
});
process.exit(code);
