import type { Observation } from "../../../catalog/observation.ts";
import type { Release } from "../../../catalog/release.ts";
import { type Attempt, DELIVERY_ID_SEPARATOR, type Delivery } from "../../../domain/alert/delivery.ts";
import type { Event } from "../../../domain/alert/event.ts";
import type { Pause } from "../../../domain/alert/pause.ts";
import type { PendingImport } from "../../../domain/settings/pending-import.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Installation, Posting, SettledMessage, SourceReads } from "../../../ports/state-records.ts";
import type { SettingsRow } from "../collections/destination-settings.ts";
import type { RulesRow } from "../collections/rules.ts";
import type { SharedJson } from "./row-json.ts";
import { SnapshotRows } from "./snapshot-rows.ts";
import { Table } from "./table.ts";
import type { Operation } from "./transaction.ts";

/** All tables. Destinations and people are keys in the form of `destinationKey`. */
export class Tables {
  /** Space-separated tickers per person, which need a twentieth of the space of objects. */
  readonly watchlists = new Table<string>("watchlists");
  /** By destination. */
  readonly rules = new Table<RulesRow>("rules");
  /** The direct-message channel of each person. */
  readonly directChannels = new Table<string>("direct-channels");
  /** By destination. */
  readonly settings = new Table<SettingsRow>("settings");
  /** Tokens of the calendar addresses, by person. */
  readonly calendars = new Table<string>("calendars");
  readonly imports = new Table<PendingImport>("imports");
  readonly installations = new Table<Installation>("installations");
  /** Consumed single-use tokens, with the time until which they must be kept. */
  readonly usedTokens = new Table<Instant>("used-tokens");
  /** Sessions of the web page, with their end. */
  readonly sessions = new Table<Instant>("sessions");
  readonly releases = new Table<Release>("releases");
  readonly observations = new Table<Observation>("observations");
  readonly sourceReads = new Table<SourceReads>("source-reads");
  /** Waiting deliveries, even if they are part of an attempt, in the order of arrival. */
  readonly deliveries = new Table<Delivery>("deliveries", {
    separator: DELIVERY_ID_SEPARATOR,
    toJson: deliveryJson,
  });
  /** By destination. */
  readonly attempts = new Table<Attempt>("attempts");
  /** By destination. */
  readonly pauses = new Table<Pause>("pauses");
  readonly events = new Table<Event>("events");
  readonly messages = new Table<SettledMessage>("messages");
  /** By message. */
  readonly postings = new Table<Posting>("postings");
  /** The last number of a posting, in one row. */
  readonly postingNumber = new Table<number>("posting-number");
  readonly snapshot = new SnapshotRows();
  readonly #byName: ReadonlyMap<string, Table<unknown>>;

  constructor() {
    const tables = Object.values(this).filter((rows) => rows instanceof Table) as Table<unknown>[];
    this.#byName = new Map(tables.map((table) => [table.name, table]));
  }

  /** All tables that are stored in segments. */
  all(): readonly Table<unknown>[] {
    return [...this.#byName.values()];
  }

  table(name: string): Table<unknown> | undefined {
    return this.#byName.get(name);
  }

  /** Applies an operation of transaction `n`. Returns false if there is no such table. */
  apply(op: Operation, n: number): boolean {
    const [kind, name, key = "", value] = op;
    const table = this.#byName.get(name);
    if (!table) return this.snapshot.apply(op, n);
    if (kind === "put") table.put(key, value);
    else if (kind === "set") table.set(key, value);
    else if (kind === "remove") table.remove(key);
    else table.clear();
    return true;
  }
}

const DELIVERY_FIELDS = 5;

/** A large commit stores many deliveries of few events to few destinations. */
function deliveryJson(delivery: Delivery, id: string, shared: SharedJson): string {
  const { eventId, to, reasons, mentions } = delivery;
  if (Object.keys(delivery).length !== DELIVERY_FIELDS) return JSON.stringify(delivery);
  const start = `{"id":${id},"eventId":${shared(eventId)},"to":${shared(to)}`;
  return `${start},"reasons":${shared(reasons)},"mentions":${shared(mentions)}}`;
}

/** Names of the tables, which begin the names of their files. */
export const TABLE_NAMES: ReadonlySet<string> = new Set(new Tables().all().map(({ name }) => name));
