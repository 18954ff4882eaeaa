import { run } from "./cli/run.ts";
import { listenForStop } from "./cli/stop-requests.ts";

// The exit of the process waits for lookups in progress. With the defaults of the C library, one takes 10 seconds per name server
// that doesn't answer, longer than a stop may.
process.env.RES_OPTIONS ??= "timeout:2 attempts:2";

const { stopRequested, onFurtherError } = listenForStop(process, (line) => console.error(line));

const outputClosed = new AbortController();
process.stdout.on("error", () => outputClosed.abort());
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that closes the pipe early, such as `head`, is not an error.
    if (error.code !== "EPIPE") throw error;
  });
}

void run(process.argv.slice(2), {
  env: process.env,
  folder: process.cwd(),
  isTerminal: process.stderr.isTTY,
  outputIsTerminal: process.stdout.isTTY,
  out: (line) => console.log(line),
  drained: () => (process.stdout.writableNeedDrain ? flushed(process.stdout) : Promise.resolve()),
  err: (line) => console.error(line),
  input: () => process.stdin,
  output: () => process.stdout,
  outputClosed: outputClosed.signal,
  stopRequested,
  onFurtherError,
})
  .catch((error: unknown) => {
    console.error(error instanceof Error ? `splitwatch: ${error.message}` : error);
    return 1;
  })
  .then(async (code) => {
    // A slow reader still receives all output, unless a stop is requested.
    await Promise.race([Promise.all([flushed(process.stdout), flushed(process.stderr)]), stopRequested]);
    process.exit(code);
  });

/** Resolves when all output has been written, or the stream has failed. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}
