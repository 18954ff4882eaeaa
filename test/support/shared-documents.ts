import { createListeners } from "../../src/lib/listeners.ts";
import { type Documents, StoreError } from "../../src/ports/store.ts";

export interface SharedDocuments {
  /** Documents of two processes: a write of one notifies the other. */
  readonly documents: readonly [Documents, Documents];
  /** Whether reads fail, as those of an unavailable database. */
  isUnavailable: boolean;
}

export function sharedDocuments(): SharedDocuments {
  const texts = new Map<string, string>();
  const listeners = [createListeners<[string]>(), createListeners<[string]>()] as const;
  const documentsOf = (own: 0 | 1): Documents => ({
    async read(name) {
      if (shared.isUnavailable) throw new StoreError("database: no connection");
      return texts.get(name) ?? null;
    },
    async write(name, text) {
      texts.set(name, text);
      listeners[own === 0 ? 1 : 0].notify(name);
    },
    onChange: listeners[own].add,
  });
  const shared: SharedDocuments = { documents: [documentsOf(0), documentsOf(1)], isUnavailable: false };
  return shared;
}
