import { Client, type QueryResultRow } from "pg";
import { StoreError } from "../../../ports/store.ts";
import { CLOSED } from "../../health.ts";
import { clientConfig, setLimits } from "./connections.ts";
import { asStoreError, breaksConnection } from "./errors.ts";
import { CHANNEL, type DatabaseNotifications } from "./notifications.ts";
import type { DatabaseAddress } from "./settings.ts";

/** A heartbeat takes a millisecond. */
const LIMITS = { statement_timeout: 3_000, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
/** Limit of connecting and of an answer. */
const ANSWER_MS = 4_000;

/**
 * Connection for heartbeats and notifications, separate from the pool, whose connections may all be in use. Connects again with the
 * next statement after an interruption.
 */
export class Session {
  readonly #address: DatabaseAddress;
  readonly #name: string;
  readonly #notifications: DatabaseNotifications;
  #client: Promise<Client> | null = null;
  /** The last client that was connected. */
  #current: Client | null = null;
  #isClosed = false;

  constructor(address: DatabaseAddress, name: string, notifications: DatabaseNotifications) {
    this.#address = address;
    this.#name = name;
    this.#notifications = notifications;
  }

  /** Runs a statement. Failures are StoreErrors. */
  async run<R extends QueryResultRow>(name: string, text: string, values: readonly unknown[]): Promise<readonly R[]> {
    const client = await this.#connected();
    try {
      return (await client.query<R>({ name, text, values: [...values] })).rows;
    } catch (error) {
      if (breaksConnection(error)) this.#drop(client);
      throw asStoreError(error, this.#address);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => null);
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  async #connected(): Promise<Client> {
    if (this.#isClosed) throw new StoreError(CLOSED);
    this.#client ??= this.#connect();
    const connecting = this.#client;
    try {
      return await connecting;
    } catch (error) {
      if (this.#client === connecting) this.#client = null;
      throw asStoreError(error, this.#address, this.#current !== null);
    }
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      ...clientConfig(this.#address, this.#name),
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    client.on("error", () => this.#drop(client));
    client.on("notification", ({ payload = "" }) => this.#notifications.receive(payload));
    try {
      await client.connect();
      await setLimits(client, LIMITS);
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      this.#drop(client);
      throw error;
    }
    this.#current = client;
    this.#notifications.resume();
    return client;
  }

  /** Ends a connection that can't be used any more. */
  #drop(client: Client): void {
    if (client === this.#current) this.#client = null;
    // The connection may not answer any more.
    client.end().catch(() => undefined);
  }
}
