import { exitCodeOf, type Invocation, type Stop } from "./invocation.ts";

/** Thrown in the middle of a work that is given up because the process is to end. */
export class StopRequestedError extends Error {
  override readonly name = "Interrupted";
  readonly why: Stop;

  constructor(why: Stop) {
    super("the process is to end");
    this.why = why;
  }

  /** What the process is to end with. */
  get code(): number {
    return exitCodeOf(this.why);
  }
}

/** The same values, up to the moment at which the process is to end: then an `Interrupted`. */
export async function* untilStopRequested<T>(values: AsyncIterable<T>, invocation: Invocation): AsyncGenerator<T> {
  const stop: { why?: Stop } = {};
  const noteStop = async (): Promise<void> => {
    stop.why = await invocation.stopRequested;
  };
  void noteStop();
  for await (const value of values) {
    if (stop.why) throw new StopRequestedError(stop.why);
    yield value;
  }
}
