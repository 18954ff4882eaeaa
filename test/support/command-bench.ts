import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer, Call } from "../../src/commands/command.ts";
import type { CommandContext } from "../../src/commands/context.ts";
import { type Commands, createCommands } from "../../src/commands/index.ts";
import type { KnownArticle } from "../../src/core/article.ts";
import type { Delivery, DeliveryOutcome } from "../../src/core/delivery.ts";
import type { Event } from "../../src/core/event.ts";
import type { Snapshot } from "../../src/core/snapshot.ts";
import type { Split } from "../../src/core/split.ts";
import type { Store } from "../../src/ports/store.ts";
import { openLowdbStore } from "../../src/store/lowdb/open.ts";
import { ALICE, GENERAL } from "./builders.ts";
import { cardText } from "./card-text.ts";
import { ManualClock } from "./manual-clock.ts";
import { silentLog } from "./silent-log.ts";

export const SOURCE = "http://splits.example";
export const IN_GENERAL: Call = { person: ALICE, place: GENERAL, mayManage: true };
export const IN_DIRECT_MESSAGE: Call = { person: ALICE, place: ALICE, mayManage: true };

/** Commands on a real file store, at 9 in New York on Monday 2 March 2026. */
export interface CommandBench {
  readonly commands: Commands;
  readonly store: Store;
  readonly clock: ManualClock;
  /** `name outcome` for each command that ran. */
  readonly ran: string[];
  /** What `deliver` says next. */
  outcome: DeliveryOutcome;
  ask(line: string, call?: Call): Promise<Answer>;
  /** The answer as text, its cards under each other. */
  read(line: string, call?: Call): Promise<string>;
  /** The snapshot as a poll would have left it. */
  learn(known: {
    splits?: readonly Split[];
    articles?: readonly KnownArticle[];
    header?: Partial<Snapshot>;
  }): Promise<void>;
  tell(events: readonly Event[], deliveries?: readonly Delivery[]): Promise<void>;
  /** All that commands may change, as JSON: equal texts mean that nothing changed. */
  state(): Promise<string>;
  close(): Promise<void>;
}

export async function openCommandBench(overrides: Partial<CommandContext> = {}): Promise<CommandBench> {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-commands-"));
  const clock = new ManualClock();
  const store = await openLowdbStore({ dir, clock, log: silentLog });
  const ran: string[] = [];
  const nothing = (): void => undefined;
  const context: CommandContext = {
    store,
    clock,
    log: silentLog,
    metrics: {
      polled: nothing,
      eventSeen: nothing,
      delivered: nothing,
      deliveryTook: nothing,
      commandRan: (name, outcome) => ran.push(`${name} ${outcome}`),
    },
    version: "1.2.3",
    timezone: "America/New_York",
    source: { id: SOURCE, name: "splits.example", sample: false, note: null },
    deliver: () => Promise.resolve(bench.outcome),
    ...overrides,
  };
  const commands = createCommands(context);
  const bench: CommandBench = {
    commands,
    store,
    clock,
    ran,
    outcome: { kind: "waiting", problem: null },
    ask: (line, call = IN_GENERAL) => commands.ask(line, call),
    read: async (line, call = IN_GENERAL) => (await commands.ask(line, call)).cards.map(cardText).join("\n\n"),
    learn: ({ splits = [], articles = [], header = {} }) =>
      store.snapshot.commit({
        patch: {
          header: {
            source: SOURCE,
            bornAt: 0,
            nextSplit: 1,
            splitsKnown: true,
            settlingPolls: 0,
            articlesThrough: null,
            doubt: null,
            ...header,
          },
          replaces: false,
          splits,
          removedSplits: [],
          articles,
          removedArticles: [],
        },
        events: [],
        deliveries: [],
      }),
    tell: (events, deliveries = []) => store.snapshot.commit({ patch: null, events, deliveries }),
    state: async () =>
      JSON.stringify([await store.rules.all(), await store.watchlists.of(ALICE), await store.outbox.summary()]),
    close: async () => {
      await store.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
  return bench;
}
