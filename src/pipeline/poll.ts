import type { Instant } from "../domain/time/day.ts";
import type { SplitList } from "../ports/split-source.ts";
import type { Resource } from "../ports/store.ts";
import { withDeadline } from "./deadline.ts";
import { pollArticles } from "./poll-articles.ts";
import { failureOf, type PollOutcome, report } from "./poll-outcome.ts";
import type { PollParts } from "./poll-parts.ts";
import { applySplitList } from "./poll-splits.ts";

/** `in-time`: not before the time that the source asked for. `at-once`: it has said since that it has news. */
type When = "in-time" | "at-once";

/** Its polls never reject: what went wrong is in the report, and the next poll tries again. */
export interface Poller {
  /** Joins a poll that reads it already. */
  poll(resource: Resource): Promise<void>;
  /**
   * Both in one look: the list of splits is read first and taken in last, so that whatever split it shows is announced with
   * the releases that were out by then. What it reads is no older than the call, unless it joins another look of this kind.
   * Articles that take long are still being read when it resolves, so long as the splits are taken in.
   */
  pollBoth(when?: When): Promise<void>;
  /** Resolves when no poll runs. */
  idle(): Promise<void>;
}

export function createPoller(parts: PollParts): Poller {
  const { read, running } = createReadings(parts);
  let both: Promise<void> | null = null;

  async function lookAtBoth(when: When): Promise<void> {
    // A list that is read twice at a time might be taken in the wrong order.
    await running.get("splits");
    const articles = running.get("articles");
    if (articles) await withDeadline(articles, parts.clock);
    await read(running.has("articles") ? ["splits"] : ["splits", "articles"], when);
  }

  return {
    // A poll that still runs is joined, not doubled.
    async poll(resource) {
      await (running.get(resource) ?? both ?? read([resource], "in-time"));
    },
    pollBoth(when = "in-time") {
      both ??= lookAtBoth(when).finally(() => {
        both = null;
      });
      return both;
    },
    async idle() {
      await both;
      await Promise.all(running.values());
    },
  };
}

interface Readings {
  /** Reads those of the resources that the source lets us ask for by now. */
  readonly read: (resources: readonly Resource[], when: When) => Promise<void>;
  readonly running: ReadonlyMap<Resource, Promise<unknown>>;
}

function createReadings(parts: PollParts): Readings {
  const { clock, source, signal } = parts;
  const { running, isDue, readOne } = createRuns(parts);
  const listOf = (): Promise<SplitList> => source.listSplits(signal);

  async function readBoth(): Promise<void> {
    const at = clock.now();
    const list = listOf();
    // Whatever is wrong with the list, the articles are read, and then the poll of splits tells it.
    const listEnds = list.catch(() => undefined);
    await withDeadline(listEnds, clock);
    let areLate = false;
    const endedLate = async (events: number): Promise<void> => (areLate ? parts.onPollEnd(events) : undefined);
    const articles = readOne("articles", () => pollArticles(parts, () => list), { ended: endedLate });
    const early = await withDeadline(articles, clock);
    areLate = early === null;
    // The next start reads the releases first, and then tells what they go with.
    if (signal.aborted) return;
    const ended = (events: number): Promise<void> => parts.onPollEnd(events + (early ?? 0));
    await readOne("splits", async () => applySplitList(parts, await list), { at, ended });
  }

  function readAlone(resource: Resource): Promise<number> {
    if (resource === "articles") return readOne(resource, () => pollArticles(parts, listOf), parts);
    return readOne(resource, async () => applySplitList(parts, await listOf()), parts);
  }

  return {
    running,
    async read(resources, when) {
      const [first, ...others] = resources.filter((resource) => when === "at-once" || isDue(resource));
      if (first !== undefined) await (others.length > 0 ? readBoth() : readAlone(first));
    },
  };
}

interface Runs {
  readonly running: ReadonlyMap<Resource, Promise<number>>;
  /** The source lets us ask for it by now. */
  readonly isDue: (resource: Resource) => boolean;
  /** Gives the number of its events. */
  readonly readOne: (resource: Resource, work: () => Promise<PollOutcome>, ending: Ending) => Promise<number>;
}

interface Ending {
  /** When it began; absent: now. */
  readonly at?: Instant;
  readonly ended: PollParts["onPollEnd"];
}

function createRuns(parts: PollParts): Runs {
  const { clock, log, signal } = parts;
  const notBefore = new Map<Resource, Instant>();
  const running = new Map<Resource, Promise<number>>();

  async function run(resource: Resource, work: () => Promise<PollOutcome>, ending: Ending): Promise<number> {
    const { at = clock.now(), ended } = ending;
    const outcome = await work().catch(failureOf);
    if (outcome.retryAfterMs !== undefined) notBefore.set(resource, at + outcome.retryAfterMs);
    try {
      if (!signal.aborted) await report(parts, resource, at, outcome);
    } catch (error) {
      log.error("poll report failed", { resource, error });
    }
    if (!signal.aborted) await ended(outcome.events);
    return outcome.events;
  }

  return {
    running,
    isDue: (resource) => clock.now() >= (notBefore.get(resource) ?? 0),
    readOne(resource, work, ending) {
      const mine = run(resource, work, ending).finally(() => running.delete(resource));
      running.set(resource, mine);
      return mine;
    },
  };
}
