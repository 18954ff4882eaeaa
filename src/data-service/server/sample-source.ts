import type { Instant } from "../../domain/time/day.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CatalogSource, WritableCatalog } from "./catalog.ts";
import { type Sample, sampleAt, sampleMoments } from "./sample-story.ts";

export interface SampleSourceOptions {
  readonly sample: Sample;
  /** Start of the story; dates are relative to this day in New York. */
  readonly start: Instant;
  readonly catalog: WritableCatalog;
  readonly clock: Clock;
}

/** Fills the catalog with the sample and follows its story until that ends or the source is stopped. */
export function startSampleSource({ sample, start, catalog, clock }: SampleSourceOptions): CatalogSource {
  const stopped = new AbortController();
  const publish = (): void => catalog.replace(sampleAt(sample, start, clock.now()));

  async function followStory(): Promise<void> {
    for (const moment of sampleMoments(sample)) {
      const waitMs = start + moment - clock.now();
      if (waitMs <= 0) continue;
      await clock.sleep(waitMs, stopped.signal);
      if (stopped.signal.aborted) return;
      publish();
    }
  }

  publish();
  const following = followStory();
  return {
    id: `sample:${new Date(start).toISOString()}`,
    sample: true,
    problems: () => [],
    readError: () => null,
    backfilledRows: () => new Set(),
    stop() {
      stopped.abort();
      return following;
    },
  };
}
