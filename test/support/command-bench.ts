import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer, Call } from "../../src/commands/command.ts";
import type { CommandContext } from "../../src/commands/context.ts";
import { type Commands, createCommands, REGISTERED_COMMANDS } from "../../src/commands/index.ts";
import { createScreens, type Screens } from "../../src/commands/screens.ts";
import { createUsageLimits } from "../../src/commands/usage-limits.ts";
import type { Delivery, DeliveryOutcome } from "../../src/domain/alert/delivery.ts";
import { type Announced, type Event, type EventId, NO_EVIDENCE } from "../../src/domain/alert/event.ts";
import type { KnownArticle } from "../../src/domain/article/article.ts";
import type { Snapshot } from "../../src/domain/diff/snapshot.ts";
import type { Split } from "../../src/domain/split/split.ts";
import { writeCalendarFile } from "../../src/lib/ics.ts";
import { createScheduler } from "../../src/lib/scheduler.ts";
import type { Deliveries } from "../../src/ports/deliveries.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import type { Metrics } from "../../src/ports/metrics.ts";
import type { Store } from "../../src/ports/store.ts";
import { configuredStore } from "../../src/store/index.ts";
import { ALICE, GENERAL } from "./builders.ts";
import { cardText } from "./card-text.ts";
import { idleDeliveries } from "./deliveries.ts";
import { ManualClock } from "./manual-clock.ts";

const scheduler = createScheduler(SILENT_LOG);
const SOURCE = "http://splits.example";

/** Event of a split that a poll finds for the first time. */
export function announcedEvent(split: Split, parts: Partial<Announced> = {}): Announced {
  return {
    kind: "announced",
    id: `${split.id}.1` as EventId,
    at: split.firstSeenAt,
    sample: false,
    splitId: split.id,
    record: split.record,
    ...NO_EVIDENCE,
    alreadyEffective: false,
    ...parts,
  };
}

export const IN_GENERAL: Call = { person: ALICE, destination: GENERAL, mayManage: async () => true };
export const IN_DIRECT_MESSAGE: Call = { person: ALICE, destination: ALICE, mayManage: async () => true };

/** Commands on a real file store, at 9:00 in New York on Monday 2 March 2026. */
export interface CommandBench {
  readonly commands: Commands;
  readonly screens: Screens;
  readonly store: Store;
  readonly clock: ManualClock;
  /** `name outcome` of each command that ran. */
  readonly ran: string[];
  /** Result of the next `deliver`. */
  outcome: DeliveryOutcome;
  run(line: string, call?: Call): Promise<Answer>;
  /** Answer as text, one card below the other. */
  runAsText(line: string, call?: Call): Promise<string>;
  /** Saves a snapshot as a poll does. */
  seed(known: {
    splits?: readonly Split[];
    articles?: readonly KnownArticle[];
    header?: Partial<Snapshot>;
  }): Promise<void>;
  commit(events: readonly Event[], deliveries?: readonly Delivery[]): Promise<void>;
  /** Everything that commands can change, as JSON. */
  state(): Promise<string>;
  close(): Promise<void>;
}

/** Metrics that record `name outcome` of each command only. */
export function countingCommands(ran: string[]): Metrics {
  return {
    countPoll: nothing,
    countEvent: nothing,
    countDelivery: nothing,
    observeDeliveryMs: nothing,
    countCommand: (name, outcome) => ran.push(`${name} ${outcome}`),
  };
}

function nothing(): void {
  // Only commands are recorded.
}

type BenchOverrides = Partial<Omit<CommandContext, "deliveries"> & { readonly deliveries: Partial<Deliveries> }>;

export async function openCommandBench(
  { deliveries: given, ...overrides }: BenchOverrides = {},
  registered = REGISTERED_COMMANDS,
): Promise<CommandBench> {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-commands-"));
  const clock = new ManualClock();
  const store = await configuredStore({ dataDir: dir }).open({ clock, log: SILENT_LOG });
  const ran: string[] = [];
  const context: CommandContext = {
    store,
    clock,
    log: SILENT_LOG,
    metrics: countingCommands(ran),
    limits: createUsageLimits({ clock, busyMs: () => 0 }),
    version: "1.2.3",
    timezone: "America/New_York",
    nextDigest: (zone, after) => scheduler.nextTick("0 8 * * 1-5", zone, after),
    source: {
      id: SOURCE,
      name: "splits.example",
      sample: false,
      notes: () => [],
      problem: () => null,
      releaseText: () => null,
      live: null,
    },
    publicUrl: null,
    writeCalendar: writeCalendarFile,
    isStale: (_resource, readAt) => readAt === null || clock.now() - readAt > 30 * 60_000,
    deliveries: { ...idleDeliveries(store, clock), outcome: async () => bench.outcome, ...given },
    quarantinedDocuments: () => [],
    ...overrides,
  };
  const commands = createCommands(context, registered);
  const screens = createScreens(context);
  const bench: CommandBench = {
    commands,
    screens,
    store,
    clock,
    ran,
    outcome: { kind: "waiting", problem: null, retryAt: null },
    run: (line, call = IN_GENERAL) => commands.run(line, call),
    runAsText: async (line, call = IN_GENERAL) => (await commands.run(line, call)).cards.map(cardText).join("\n\n"),
    seed: ({ splits = [], articles = [], header = {} }) =>
      store.snapshot.commit({
        patch: {
          header: {
            source: SOURCE,
            startedAt: 0,
            nextSplit: 1,
            splitsKnown: true,
            settlingPolls: 0,
            articlesThrough: null,
            suspicion: null,
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
    commit: (events, deliveries = []) => store.snapshot.commit({ patch: null, events, deliveries }),
    state: async () =>
      JSON.stringify([
        await store.rules.count(),
        await store.rules.at(GENERAL),
        await store.rules.at(ALICE),
        await store.watchlists.of(ALICE),
        await store.outbox.summary(),
      ]),
    close: async () => {
      await store.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
  return bench;
}
