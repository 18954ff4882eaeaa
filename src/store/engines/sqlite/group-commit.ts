import { systemClock } from "../../../lib/clock.ts";
import { StoreError } from "../../../ports/store.ts";
import { isBusy } from "./errors.ts";
import type { Statements } from "./statements.ts";

/** Transactions that share a commit at most. */
const MAX_MEMBERS = 200;

const BUSY_RETRY_MS = 10;
const BUSY_TIMEOUT_MS = 5_000;

/** Transactions that are committed together, with one sync of the disk. */
class Group {
  /** Number of changed rows before the group. */
  readonly changesBefore: number;
  members = 0;
  readonly outcome = Promise.withResolvers<void>();

  constructor(changesBefore: number) {
    this.changesBefore = changesBefore;
    // A group whose members have all failed already has nobody who waits.
    this.outcome.promise.catch(() => undefined);
  }
}

export interface CommitParts {
  /** Returns the connection that writes. */
  openWriter(): Statements;
  /** Makes what was committed durable. */
  sync(): Promise<void>;
  /** Converts and reports an error of the database. */
  fail(error: unknown): StoreError;
}

/**
 * Write transactions, one at a time. Those that wait while another one runs share its commit, each but the first in a
 * savepoint: under a savepoint, each statement takes longer the more pages were changed. A transaction is committed when the commit of
 * its group is durable.
 */
export class GroupCommit {
  readonly #parts: CommitParts;
  readonly #waiting: (() => void)[] = [];
  #isInUse = false;
  #group: Group | null = null;

  constructor(parts: CommitParts) {
    this.#parts = parts;
  }

  get #writer(): Statements {
    return this.#parts.openWriter();
  }

  #fail(error: unknown): StoreError {
    return this.#parts.fail(error);
  }

  /** Runs an operation outside of any transaction. */
  async alone(work: () => Promise<void>): Promise<void> {
    await this.#waitForTurn();
    await this.#commitGroup();
    try {
      await work();
    } catch (error) {
      throw this.#fail(error);
    } finally {
      this.#pass();
    }
  }

  async #waitForTurn(): Promise<void> {
    if (this.#isInUse) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isInUse = true;
  }

  /** Begins a transaction when all earlier ones have ended. */
  async begin(): Promise<void> {
    await this.#waitForTurn();
    try {
      this.#group ??= await this.#beginGroup();
      if (this.#group.members > 0) this.#writer.exec("savepoint member");
    } catch (error) {
      this.#pass();
      throw this.#fail(error);
    }
  }

  /** Waits while another process writes, such as `splitwatch keys`. */
  async #beginGroup(): Promise<Group> {
    const group = new Group(this.#writer.changes);
    for (let waitedMs = 0; ; waitedMs += BUSY_RETRY_MS) {
      try {
        this.#writer.exec("begin immediate");
        return group;
      } catch (error) {
        if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw error;
        await systemClock.sleep(BUSY_RETRY_MS);
      }
    }
  }

  /** Resolves when the transaction is durable. */
  async commit(): Promise<void> {
    const group = this.#group;
    if (group === null) throw new Error("no transaction has begun");
    try {
      if (group.members > 0) this.#writer.exec("release member");
      group.members += 1;
    } catch (error) {
      await this.rollback();
      throw this.#fail(error);
    }
    this.#pass();
    await group.outcome.promise;
  }

  async rollback(): Promise<void> {
    const { members = 0 } = this.#group ?? {};
    try {
      // Some errors, such as that of a full disk, end the transaction of the whole group.
      if (members > 0 && this.#writer.isInTransaction) this.#writer.exec("rollback to member; release member");
      else this.#endGroup(new StoreError("the write that shared the commit failed; repeat this one"));
    } catch (error) {
      this.#endGroup(this.#fail(error));
    }
    this.#pass();
  }

  #pass(): void {
    void this.#passOn();
  }

  /** Lets the next transaction begin, or commits the group if none waits. Those that come during the commit form the next group. */
  async #passOn(): Promise<void> {
    if (this.#waiting.length === 0 || (this.#group?.members ?? 0) >= MAX_MEMBERS) await this.#commitGroup();
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isInUse = false;
  }

  async #commitGroup(): Promise<void> {
    const group = this.#group;
    if (group === null) return;
    try {
      const isChanged = this.#writer.changes > group.changesBefore;
      this.#writer.exec("commit");
      if (isChanged) await this.#parts.sync();
      group.outcome.resolve();
      this.#group = null;
    } catch (error) {
      this.#endGroup(this.#fail(error));
    }
  }

  /** Rolls back the transactions of the group, which fail. Never throws: the next transaction waits for it. */
  #endGroup(error: StoreError): void {
    this.#group?.outcome.reject(error);
    this.#group = null;
    try {
      if (this.#writer.isInTransaction) this.#writer.exec("rollback");
    } catch (problem) {
      this.#fail(problem);
    }
  }
}
