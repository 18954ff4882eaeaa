export interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
}

/** A promise that is resolved from outside: blocks work until the test continues it, or lets the test wait for an event. */
export function deferred(): Deferred {
  const resolver: { resolve?: () => void } = {};
  const promise = new Promise<void>((resolve) => {
    resolver.resolve = resolve;
  });
  return { promise, resolve: () => resolver.resolve?.() };
}
