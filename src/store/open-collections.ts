import { destinationKey, type Person } from "../domain/alert/destination.ts";
import type { Rule } from "../domain/settings/rule.ts";
import { groupBy } from "../lib/collections.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { RateSlots } from "../ports/rate-slots.ts";
import { observationKey, releaseKey, type Store, sourceReadsKey } from "../ports/store.ts";
import { SqlCalendars } from "./collections/calendars.ts";
import { limitDelays, SqlClaims } from "./collections/claims.ts";
import { SqlDestinationSettings } from "./collections/destination-settings.ts";
import { findDestinations } from "./collections/destinations.ts";
import { SqlDocuments } from "./collections/documents.ts";
import { SqlHistory } from "./collections/history.ts";
import { SqlInspection } from "./collections/inspection.ts";
import { SqlJobs } from "./collections/jobs.ts";
import { SqlKeyedRecords } from "./collections/keyed-records.ts";
import { SqlOutbox } from "./collections/outbox.ts";
import { SqlPauses } from "./collections/pauses.ts";
import { SqlPollReports } from "./collections/poll-reports.ts";
import { SqlPostings } from "./collections/postings.ts";
import { purgeData } from "./collections/purge.ts";
import { openPurgedPeople } from "./collections/purged-people.ts";
import { prune } from "./collections/retention.ts";
import { SqlRules } from "./collections/rules.ts";
import { SqlSeenRequests } from "./collections/seen-requests.ts";
import { SqlSessions } from "./collections/sessions.ts";
import { SqlSnapshot } from "./collections/snapshot.ts";
import { SqlSourceRecords } from "./collections/source-records.ts";
import { SqlSourceStatuses } from "./collections/source-statuses.ts";
import { SqlUsedTokens } from "./collections/used-tokens.ts";
import { SqlWatchlists } from "./collections/watchlists.ts";
import type { Database } from "./database.ts";
import type { Membership } from "./membership.ts";
import type { Notifications } from "./notifications.ts";
import { ProcessClock, type SharedTime } from "./process-clock.ts";
import type { SnapshotFile } from "./snapshot/snapshot-file.ts";

/** What differs between the engines. */
export interface Engine {
  readonly database: Database;
  readonly membership: Membership;
  readonly notifications: Notifications;
  readonly time: SharedTime;
  readonly rateSlots: RateSlots;
  /** Copy of the snapshot outside of the database; null: the database is read at the start. */
  readonly snapshotFile: SnapshotFile | null;
  readonly configuredRules: readonly Rule[] | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Removes what is left of the person outside of the common tables. */
  afterPurge(person: Person): Promise<void>;
  /** Called once, after the end of the jobs. */
  close(): Promise<void>;
}

/** A store with what its engine needs of the snapshot. */
export interface OpenedCollections extends Store {
  readonly snapshot: SqlSnapshot;
}

/** Opens the collections, which are the same for all engines. If it fails, the engine is left open. */
export async function openCollections(engine: Engine): Promise<OpenedCollections> {
  const { database, membership, notifications, time, rateSlots, clock, log } = engine;
  const jobs = new SqlJobs({ database, membership, notifications, clock, log });
  const purged = await openPurgedPeople(database, time);
  await limitDelays(database, time.now());
  const claimParts = { database, membership, notifications, clock, time };
  const claims = new SqlClaims(claimParts);
  const led = { database, jobs, notifications };
  const processClock = new ProcessClock(clock, time);
  const records = { ...led, membership, clock, log };
  const configuredRules = groupBy(engine.configuredRules ?? [], ({ destination }) => destinationKey(destination));
  return {
    snapshot: await SqlSnapshot.open({ ...led, purged, file: engine.snapshotFile, log }),
    claims,
    outbox: new SqlOutbox({ ...claimParts, claims, purged }),
    pauses: new SqlPauses(claimParts, claims),
    history: new SqlHistory(database),
    rules: new SqlRules({ database, purged, configuredRules }),
    watchlists: new SqlWatchlists(database, purged),
    directChannels: new SqlKeyedRecords("direct-channel", database),
    names: new SqlKeyedRecords("destination-name", database),
    calendars: new SqlCalendars(database),
    destinationSettings: new SqlDestinationSettings(database, notifications),
    lastImports: new SqlKeyedRecords("last-import", database),
    installations: new SqlKeyedRecords("installation", database),
    usedTokens: new SqlUsedTokens(database),
    postings: new SqlPostings(database, notifications),
    sessions: new SqlSessions(database),
    releases: new SqlSourceRecords("release", releaseKey, records),
    observations: new SqlSourceRecords("observation", observationKey, records),
    sourceReads: new SqlSourceRecords("source-reads", sourceReadsKey, records),
    sourceStatuses: new SqlSourceStatuses({ ...led, processClock }),
    documents: new SqlDocuments(led),
    seenRequests: new SqlSeenRequests(database, time),
    polls: new SqlPollReports({ ...led, processClock }),
    jobs,
    inspection: new SqlInspection({ database, membership, configuredRules }),
    rateSlots,
    mayStillSend: () => claims.mayStillSend(),
    prune: async (before) => {
      await prune(database, before);
      await purged.prune(database.db);
    },
    purgePerson: async (person) => {
      await database.transaction((transaction) =>
        purgeData(transaction, { person, at: clock.now(), purged, holder: membership.id }),
      );
      await engine.afterPurge(person);
    },
    destinations: (platform, idPrefix) => findDestinations(database, platform, idPrefix),
    health: () => database.health(),
    close: closeOnce(jobs, engine),
  };
}

/** Ends the jobs, and closes the engine. Further calls wait for the first one. */
function closeOnce(jobs: SqlJobs, engine: Engine): () => Promise<void> {
  let closed: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    try {
      await jobs.close();
    } finally {
      await engine.close();
    }
  };
  return () => {
    closed ??= close();
    return closed;
  };
}
