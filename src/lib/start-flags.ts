import { setFlagsFromString } from "node:v8";

const START_MS = 10_000;

/** The start makes garbage for which V8 would reserve up to 32 MB, and an idle process never gives them back. */
export function limitGarbageOfStart(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setTimeout(() => setFlagsFromString("--semi-space-growth-factor=2"), START_MS).unref();
}
