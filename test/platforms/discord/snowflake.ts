const DISCORD_EPOCH = 1_420_070_400_000;

/** Generates Discord's ids, which contain the time in their upper bits, so later ids are greater. */
export function createSnowflakes(now: () => number): () => string {
  let last = 0n;
  return () => {
    const timed = BigInt(Math.floor(now()) - DISCORD_EPOCH) << 22n;
    last = timed > last ? timed : last + 1n;
    return last.toString();
  };
}

/** For sorting, oldest first. */
export function compareSnowflakes(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}
