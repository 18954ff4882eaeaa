import type { Instant } from "../domain/time/day.ts";
import { settleWithin } from "../lib/clock.ts";
import { errorMessage } from "../lib/error-text.ts";
import { SourceError, type SplitList } from "../ports/split-source.ts";
import type { Resource } from "../ports/store.ts";
import type { CommitParts } from "./commit.ts";
import { pollArticles } from "./poll-articles.ts";
import { MAX_WAIT_MS, type PollOutcome, type PollParts } from "./poll-parts.ts";
import { applySplitList } from "./poll-splits.ts";

/** `scheduled` respects the time that the source asked to wait for; `immediate` does not: the source has announced new data. */
type Timing = "scheduled" | "immediate";

/** Polls splits and articles. Polls never reject: failures are reported, and the next poll tries again. */
export interface Poller {
  /** Polls one resource, or joins the poll of it that is running. */
  poll(resource: Resource): Promise<void>;
  /**
   * Polls both, so that a split is announced with the releases that are out by then: the list is read first and applied last.
   * Resolves when the splits are applied; articles that take longer go on in the background. Joins a running call.
   */
  pollBoth(timing?: Timing): Promise<void>;
  /** Resolves when no poll is running. */
  idle(): Promise<void>;
}

export function createPoller(parts: PollParts): Poller {
  return new SourcePoller(parts);
}

interface RunOptions {
  /** When the poll began; default: now. */
  readonly at?: Instant;
  readonly onEnd: (events: number) => Promise<void>;
}

class SourcePoller implements Poller {
  readonly #parts: PollParts;
  readonly #notBefore = new Map<Resource, Instant>();
  readonly #running = new Map<Resource, Promise<number>>();
  #both: Promise<void> | null = null;

  constructor(parts: PollParts) {
    this.#parts = parts;
  }

  async poll(resource: Resource): Promise<void> {
    await (this.#running.get(resource) ?? this.#both ?? this.#pollDue([resource], "scheduled"));
  }

  pollBoth(timing: Timing = "scheduled"): Promise<void> {
    this.#both ??= this.#startBoth(timing).finally(() => {
      this.#both = null;
    });
    return this.#both;
  }

  async idle(): Promise<void> {
    await this.#both;
    await Promise.all(this.#running.values());
  }

  async #startBoth(timing: Timing): Promise<void> {
    // Two lists that are read at the same time could be applied in the wrong order.
    await this.#running.get("splits");
    const articles = this.#running.get("articles");
    if (articles) await settleWithin(articles, MAX_WAIT_MS, this.#parts.clock);
    await this.#pollDue(this.#running.has("articles") ? ["splits"] : ["splits", "articles"], timing);
  }

  async #pollDue(resources: readonly Resource[], timing: Timing): Promise<void> {
    const now = this.#parts.clock.now();
    const isDue = (resource: Resource): boolean => now >= (this.#notBefore.get(resource) ?? 0);
    const [first, ...others] = resources.filter((resource) => timing === "immediate" || isDue(resource));
    if (first !== undefined) await (others.length > 0 ? this.#runBoth() : this.#runOne(first));
  }

  #runOne(resource: Resource): Promise<number> {
    const { source, signal } = this.#parts;
    const list = (): Promise<SplitList> => source.listSplits(signal);
    const options = { onEnd: (events: number) => this.#parts.onPollEnd(events) };
    if (resource === "articles") return this.#run(resource, () => pollArticles(this.#parts, list), options);
    return this.#run(resource, async () => applySplitList(this.#parts, await list()), options);
  }

  async #runBoth(): Promise<void> {
    const { clock, source, signal, onPollEnd } = this.#parts;
    const at = clock.now();
    const list = source.listSplits(signal);
    // A list that fails is reported by its own poll; the articles are polled either way.
    await settleWithin(
      list.catch(() => undefined),
      MAX_WAIT_MS,
      clock,
    );
    let isLate = false;
    const articles = this.#run("articles", () => pollArticles(this.#parts, () => list), {
      onEnd: async (events) => (isLate ? onPollEnd(events) : undefined),
    });
    const articleEvents = await settleWithin(articles, MAX_WAIT_MS, clock);
    isLate = articleEvents === null;
    // After a restart the releases are read first again, and then the splits that they belong to.
    if (signal.aborted) return;
    const onEnd = (events: number): Promise<void> => onPollEnd(events + (articleEvents ?? 0));
    await this.#run("splits", async () => applySplitList(this.#parts, await list), { at, onEnd });
  }

  #isStopping(): boolean {
    return this.#parts.signal.aborted;
  }

  /** Runs one poll and reports it. Resolves with the number of its events. */
  #run(resource: Resource, work: () => Promise<PollOutcome>, options: RunOptions): Promise<number> {
    const { clock, log } = this.#parts;
    const run = async (): Promise<number> => {
      const { at = clock.now(), onEnd } = options;
      const outcome = await work().catch(failedOutcome);
      if (outcome.retryAfterMs !== undefined) this.#notBefore.set(resource, at + outcome.retryAfterMs);
      if (this.#isStopping()) return outcome.events;
      await report(this.#parts, resource, at, outcome).catch((error: unknown) => {
        log.error("poll report failed", { resource, error });
      });
      if (!this.#isStopping()) await onEnd(outcome.events);
      return outcome.events;
    };
    const running = run().finally(() => this.#running.delete(resource));
    this.#running.set(resource, running);
    return running;
  }
}

function failedOutcome(error: unknown): PollOutcome {
  const detail = errorMessage(error);
  const retryAfterMs = error instanceof SourceError ? error.retryAfterMs : null;
  const wait = retryAfterMs === null ? {} : { retryAfterMs };
  return { outcome: "failed", detail, records: 0, events: 0, quarantined: [], ...wait };
}

/** Saves the outcome for `status`, and passes it to log and metrics. */
async function report(parts: CommitParts, resource: Resource, at: Instant, outcome: PollOutcome): Promise<void> {
  const { store, log, metrics } = parts;
  const { retryAfterMs: _, events: __, ...saved } = outcome;
  const previous = (await store.polls.read())[resource];
  const lastCompleteAt = outcome.outcome === "complete" ? at : (previous?.lastCompleteAt ?? null);
  await store.polls.write({ ...saved, resource, at, lastCompleteAt });
  metrics.polled(resource, outcome.outcome);
  const fields = {
    resource,
    outcome: outcome.outcome,
    detail: outcome.detail,
    quarantined: outcome.quarantined.length,
  };
  if (outcome.outcome === "complete") log.info("poll completed", fields);
  else log.warn(outcome.outcome === "failed" ? "poll failed" : "poll completed", fields);
}
