import { MINUTE_MS } from "../../src/domain/time/day.ts";
import { type AnyAction, action, CLOCK_ERRORS_MS, seconds } from "./action.ts";
import { DATABASE_HOST, LOCKED_TABLES } from "./database.ts";

/** Faults of the database and of the network before it. */
export const DATABASE_ACTIONS = {
  restartDatabase: action({
    weight: 4,
    plan: (random) => ({ how: random.pick(["stop", "kill"] as const), downMs: random.pick([0, 5_000, MINUTE_MS]) }),
    run: async (on, { how, downMs }) => {
      on.story.announce(1);
      const start = await on.database.stop(how);
      await on.control.clock.sleep(downMs);
      await start();
    },
  }),
  terminate: action({
    weight: 3,
    plan: (random) => ({ which: random.pick(["all", "one"] as const) }),
    run: (on, { which }) => {
      on.story.announce(1);
      return on.database.terminate(which, on.random);
    },
  }),
  loseCommits: action({
    weight: 5,
    plan: (random) => ({
      count: random.pick([1, 1, 2, 5] as const),
      how: random.pick(["cut", "swallow-answer"] as const),
    }),
    run: (on, { count, how }) => {
      on.database.loseCommits(count, how);
      on.story.announce(1);
    },
  }),
  freeze: action({
    weight: 3,
    plan: (random) => ({ which: random.pick(["all", "one"] as const), forMs: seconds(random, 1, 40) }),
    run: async (on, { which, forMs }) => {
      on.story.announce(1);
      on.endIn(forMs, await on.database.freeze(which, on.random));
    },
  }),
  lock: action({
    weight: 3,
    plan: (random) => ({ table: random.pick(LOCKED_TABLES), forMs: seconds(random, 1, 40) }),
    run: async (on, { table, forMs }) => {
      on.endIn(forMs, await on.database.lock(table));
      on.story.announce(1);
    },
  }),
  unreachableDatabase: action({
    weight: 3,
    plan: (random) => ({
      address: random.pick(["ENOTFOUND", "EAI_AGAIN", "127.0.0.2"]),
      forMs: seconds(random, 1, 60),
    }),
    run: (on, { address, forMs }) => {
      on.control.resolve(DATABASE_HOST, address);
      on.database.dropConnections();
      on.endIn(forMs, () => on.control.resolve(DATABASE_HOST, "127.0.0.1"));
    },
  }),
  setDatabaseClock: action({
    weight: 2,
    plan: (random) => ({ ms: random.pick(CLOCK_ERRORS_MS), forMs: seconds(random, 5, 60) }),
    run: async (on, { ms, forMs }) => {
      await on.database.setClockError(ms);
      on.story.announce(1);
      on.endIn(forMs, () => on.database.setClockError(0));
    },
  }),
  startWithoutDatabase: action({
    weight: 1,
    restarts: 2,
    plan: (random) => ({ how: random.pick(["stop", "kill"] as const) }),
    run: (on, { how }) => on.restart("SIGTERM", { whileDown: () => on.startWith(() => on.database.stop(how)) }),
  }),
} as const satisfies Readonly<Record<string, AnyAction>>;
