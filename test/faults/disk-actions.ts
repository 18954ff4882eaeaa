import { type AnyAction, action, seconds } from "./action.ts";

/** Faults of the files in DATA_DIR and of their disk. */
export const DISK_ACTIONS = {
  tear: action({
    weight: 1,
    restarts: 1,
    plan: () => ({}),
    run: (on) => on.restart("SIGKILL", { whileDown: () => on.disk.tearLog(on.random) }),
  }),
  damage: action({
    weight: 1,
    restarts: 2,
    plan: () => ({}),
    run: (on) => on.restart("SIGTERM", { whileDown: () => on.startWith(() => on.disk.damageFile(on.random)) }),
  }),
  readOnly: action({
    weight: 1,
    restarts: 2,
    plan: () => ({}),
    run: (on) => on.restart("SIGTERM", { whileDown: () => on.startWith(() => on.disk.makeReadOnly()) }),
  }),
  fullDisk: action({
    weight: 2,
    plan: (random) => ({ forMs: seconds(random, 10, 60) }),
    run: async (on, { forMs }) => {
      await on.disk.fill();
      on.endIn(forMs, () => on.disk.free());
    },
  }),
} as const satisfies Readonly<Record<string, AnyAction>>;
