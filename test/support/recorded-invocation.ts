import { Readable, Writable } from "node:stream";
import type { Invocation, Stop } from "../../src/cli/invocation.ts";

export interface RecordedInvocation extends Invocation {
  readonly printed: string[];
  readonly problems: string[];
  /** Simulates a signal or an uncaught error. */
  stop(why: Stop): void;
}

/** Invocation that records its output. */
export function anInvocation(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  input: readonly (string | Uint8Array)[] = [],
): RecordedInvocation {
  const printed: string[] = [];
  const problems: string[] = [];
  const ending: { resolve?: (why: Stop) => void } = {};
  const stopped = new Promise<Stop>((resolve) => {
    ending.resolve = resolve;
  });
  return {
    env: { LOG_LEVEL: "silent", ...env },
    folder,
    isTerminal: false,
    outputIsTerminal: false,
    out: (text) => void printed.push(text),
    drained: () => Promise.resolve(),
    err: (text) => void problems.push(text),
    input: () =>
      Readable.from(
        input.map((chunk) => Buffer.from(chunk)),
        { objectMode: false },
      ),
    output: () =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          printed.push(chunk.toString());
          done();
        },
      }),
    outputClosed: new AbortController().signal,
    stopRequested: stopped,
    onFurtherError: () => undefined,
    printed,
    problems,
    stop: (why) => ending.resolve?.(why),
  };
}
