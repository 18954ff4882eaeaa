import { afterEach, beforeEach, describe } from "vitest";
import type { Rule } from "../../src/domain/settings/rule.ts";
import type { Store } from "../../src/ports/store.ts";
import type { ManualClock } from "../support/manual-clock.ts";
import { describeAttempts } from "./store/attempts.ts";
import { describeCalendars } from "./store/calendars.ts";
import { describeClaims } from "./store/claims.ts";
import { describeConfiguredRules } from "./store/configured-rules.ts";
import { describeDestinationSettings } from "./store/destination-settings.ts";
import { describeDestinations } from "./store/destinations.ts";
import { describeDirectChannels } from "./store/direct-channels.ts";
import { describeDocuments } from "./store/documents.ts";
import { describeHistory } from "./store/history.ts";
import { describeInspection } from "./store/inspection.ts";
import { describeInstallations } from "./store/installations.ts";
import { describeJobs } from "./store/jobs.ts";
import { describeLastImports } from "./store/last-imports.ts";
import { describeSummary } from "./store/outbox-summary.ts";
import { describePausedDestinations } from "./store/paused-destinations.ts";
import { describeReports } from "./store/poll-reports.ts";
import { describePostings } from "./store/postings.ts";
import { describePruning } from "./store/pruning.ts";
import { describePurge } from "./store/purge.ts";
import { describeReleaseDelays } from "./store/release-delays.ts";
import { describeRules } from "./store/rules.ts";
import { describeSeenRequests } from "./store/seen-requests.ts";
import { describeSessions } from "./store/sessions.ts";
import { describeSnapshot } from "./store/snapshot.ts";
import { describeObservations, describeReleases, describeSourceReads } from "./store/source-records.ts";
import { describeSourceStatuses } from "./store/source-statuses.ts";
import { describeStoredSpellings } from "./store/stored-spellings.ts";
import { describeWatchlists } from "./store/watchlists.ts";
import type { CurrentClock, CurrentStore, Restart, Second } from "./store-builders.ts";

export interface StoreUnderTest {
  readonly store: Store;
  /** The store's clock, which starts at T0. */
  readonly clock: ManualClock;
  /** Closes the store and opens it again, as a restart does, with these rules of the configuration. */
  reopen(configuredRules: readonly Rule[]): Promise<Store>;
  dispose(): Promise<void>;
}

/** What the tests of a part use. */
interface Tested {
  readonly use: CurrentStore;
  readonly restart: Restart;
  readonly clock: CurrentClock;
  readonly second: Second | undefined;
}

/** Parts of the contract; each has its own tests. */
const PARTS = {
  snapshot: ({ use, restart }) => describeSnapshot(use, restart),
  claims: ({ use, clock, second }) => describeClaims(use, clock, second),
  "delays of a release": ({ use, second }) => describeReleaseDelays(use, second),
  attempts: ({ use, restart, clock }) => describeAttempts(use, restart, clock),
  "paused destinations": ({ use, restart, clock }) => describePausedDestinations(use, restart, clock),
  "outbox summary": ({ use, restart }) => describeSummary(use, restart),
  history: ({ use, restart }) => describeHistory(use, restart),
  rules: ({ use, restart }) => describeRules(use, restart),
  "rules of the configuration": ({ use, restart }) => describeConfiguredRules(use, restart),
  watchlists: ({ use, restart }) => describeWatchlists(use, restart),
  "stored spellings": ({ use, restart }) => describeStoredSpellings(use, restart),
  "last imports": ({ use, restart }) => describeLastImports(use, restart),
  "purging a person": ({ use, restart }) => describePurge(use, restart),
  "direct channels": ({ use, restart }) => describeDirectChannels(use, restart),
  calendars: ({ use, restart }) => describeCalendars(use, restart),
  installations: ({ use, restart, second }) => describeInstallations(use, restart, second),
  sessions: ({ use, restart }) => describeSessions(use, restart),
  "the destinations of a platform": ({ use, restart }) => describeDestinations(use, restart),
  "destination settings": ({ use, restart, second }) => describeDestinationSettings(use, restart, second),
  postings: ({ use, restart, second }) => describePostings(use, restart, second),
  releases: ({ use, restart, second }) => describeReleases({ use, restart, openSecond: second }),
  observations: ({ use, restart, second }) => describeObservations({ use, restart, openSecond: second }),
  "source reads": ({ use, restart, second }) => describeSourceReads({ use, restart, openSecond: second }),
  pruning: ({ use, restart }) => describePruning(use, restart),
  jobs: ({ use, clock, second }) => describeJobs(use, clock, second),
  "seen requests": ({ use, clock, second }) => describeSeenRequests(use, clock, second),
  inspection: ({ use, restart, second }) => describeInspection(use, restart, second),
  documents: ({ use, restart, second }) => describeDocuments(use, restart, second),
  "source statuses": ({ use, second }) => describeSourceStatuses(use, second),
  "poll reports and health": ({ use, clock, second }) => describeReports(use, clock, second),
} satisfies Readonly<Record<string, (tested: Tested) => void>>;

export type StorePart = keyof typeof PARTS;

const ALL_PARTS = Object.keys(PARTS) as readonly StorePart[];

/**
 * Contract tests that every store implementation runs. `openSecond`: opens another store on the same data, with the same clock, as a second
 * process does; absent if only one process can use the data.
 */
export function describeStore<T extends StoreUnderTest>(
  name: string,
  open: () => Promise<T>,
  openSecond?: (first: T) => Promise<Store>,
  parts: readonly StorePart[] = ALL_PARTS,
): void {
  describe(`store contract: ${name}`, () => {
    let opened: T;
    let store: Store;
    let others: Store[] = [];
    const use: CurrentStore = () => store;
    const clock: CurrentClock = () => opened.clock;
    const restart: Restart = async (configuredRules = []) => {
      store = await opened.reopen(configuredRules);
      return store;
    };

    const second: Second | undefined =
      openSecond &&
      (async () => {
        const other = await openSecond(opened);
        others.push(other);
        return other;
      });

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });

    afterEach(async () => {
      await Promise.all(others.map((other) => other.close()));
      others = [];
      await opened.dispose();
    });

    describe.each(parts)("%s", (part) => {
      PARTS[part]({ use, restart, clock, second });
    });
  });
}
