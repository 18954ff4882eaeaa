/** Counts the turns of the event loop until it is stopped. */
export class TurnCounter {
  count = 0;
  #next = setImmediate(() => this.#turn());

  stop(): void {
    clearImmediate(this.#next);
  }

  #turn(): void {
    this.count += 1;
    this.#next = setImmediate(() => this.#turn());
  }
}

/** Blocks the event loop for longer than a slice of work. */
export function workForLong(): void {
  const end = performance.now() + 5;
  while (performance.now() < end);
}
