/** Functions that are called together. */
export interface Listeners<Args extends readonly unknown[]> {
  /** Returns a function that removes the listener. */
  readonly add: (listener: (...args: Args) => void) => () => void;
  readonly notify: (...args: Args) => void;
}

export function createListeners<Args extends readonly unknown[] = []>(): Listeners<Args> {
  const listeners = new Set<(...args: Args) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify(...args) {
      for (const listener of listeners) listener(...args);
    },
  };
}

/** Object that notifies listeners of its changes. */
interface Observable {
  onChange(listener: () => void): () => void;
}

/** Calls `listener` after every change of one of the subjects. Returns a function that unsubscribes. */
export function subscribeAll(subjects: readonly Observable[], listener: () => void): () => void {
  const unsubscribes = subjects.map((subject) => subject.onChange(listener));
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}
