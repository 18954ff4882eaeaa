import { afterEach, beforeEach, describe } from "vitest";
import type { Store } from "../../src/ports/store.ts";
import type { ManualClock } from "../support/manual-clock.ts";
import { describeAttempts } from "./store/attempts.ts";
import { describeCalendars } from "./store/calendars.ts";
import { describeClaims } from "./store/claims.ts";
import { describeDestinationSettings } from "./store/destination-settings.ts";
import { describeDestinations } from "./store/destinations.ts";
import { describeDirectChannels } from "./store/direct-channels.ts";
import { describeHistory } from "./store/history.ts";
import { describeImports } from "./store/imports.ts";
import { describeInstallations } from "./store/installations.ts";
import { describeJobs } from "./store/jobs.ts";
import { describeSummary } from "./store/outbox-summary.ts";
import { describePausedDestinations } from "./store/paused-destinations.ts";
import { describeReports } from "./store/poll-reports.ts";
import { describePostings } from "./store/postings.ts";
import { describePruning } from "./store/pruning.ts";
import { describePurge } from "./store/purge.ts";
import { describeRules } from "./store/rules.ts";
import { describeSessions } from "./store/sessions.ts";
import { describeSnapshot } from "./store/snapshot.ts";
import { describeObservations, describeReleases, describeSourceReads } from "./store/source-records.ts";
import { describeSourceStatuses } from "./store/source-statuses.ts";
import { describeWatchlists } from "./store/watchlists.ts";
import type { CurrentClock, CurrentStore, Restart, Second } from "./store-builders.ts";

export interface StoreUnderTest {
  readonly store: Store;
  /** The store's clock, which starts at T0. */
  readonly clock: ManualClock;
  /** Closes the store and opens it again, as a restart does. */
  reopen(): Promise<Store>;
  dispose(): Promise<void>;
}

/**
 * Contract tests that every store implementation runs. `openSecond`: opens another store on the same data, with the same clock, as a second
 * process does; absent if only one process can use the data.
 */
export function describeStore<T extends StoreUnderTest>(
  name: string,
  open: () => Promise<T>,
  openSecond?: (first: T) => Promise<Store>,
): void {
  describe(`store contract: ${name}`, () => {
    let opened: T;
    let store: Store;
    let others: Store[] = [];
    const use: CurrentStore = () => store;
    const clock: CurrentClock = () => opened.clock;
    const restart: Restart = async () => {
      store = await opened.reopen();
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

    describe("snapshot", () => {
      describeSnapshot(use, restart);
    });
    describe("claims", () => {
      describeClaims(use, clock, second);
    });
    describe("attempts", () => {
      describeAttempts(use, restart, clock);
    });
    describe("paused destinations", () => {
      describePausedDestinations(use, restart, clock);
    });
    describe("outbox summary", () => {
      describeSummary(use, restart);
    });
    describe("history", () => {
      describeHistory(use, restart);
    });
    describe("rules", () => {
      describeRules(use, restart);
    });
    describe("watchlists", () => {
      describeWatchlists(use, restart);
    });
    describe("imports", () => {
      describeImports(use, restart);
    });
    describe("purging a person", () => {
      describePurge(use, restart);
    });
    describe("direct channels", () => {
      describeDirectChannels(use, restart);
    });
    describe("calendars", () => {
      describeCalendars(use, restart);
    });
    describe("installations", () => {
      describeInstallations(use, restart);
    });
    describe("sessions", () => {
      describeSessions(use, restart);
    });
    describe("the destinations of a platform", () => {
      describeDestinations(use, restart);
    });
    describe("destination settings", () => {
      describeDestinationSettings(use, restart, second);
    });
    describe("postings", () => {
      describePostings(use, restart, second);
    });
    describe("releases", () => {
      describeReleases({ use, restart, openSecond: second });
    });
    describe("observations", () => {
      describeObservations({ use, restart, openSecond: second });
    });
    describe("source reads", () => {
      describeSourceReads({ use, restart, openSecond: second });
    });
    describe("pruning", () => {
      describePruning(use, restart);
    });
    describe("jobs", () => {
      describeJobs(use, clock, second);
    });
    describe("source statuses", () => {
      describeSourceStatuses(use, second);
    });
    describe("poll reports and health", () => {
      describeReports(use, second);
    });
  });
}
