import type { Store } from "../../../src/ports/store.ts";

/** The store as it is now: a restart puts another in its place. */
export type Use = () => Store;

export type Restart = () => Promise<Store>;
