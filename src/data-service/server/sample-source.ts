import type { Instant } from "../../domain/time/day.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CatalogSource, WritableCatalog } from "./catalog.ts";
import { type Sample, sampleAt, sampleMoments } from "./sample-story.ts";

export interface SampleSourceOptions {
  readonly sample: Sample;
  /** When the story began; the dates are relative to this day in New York. */
  readonly start: Instant;
  readonly catalog: WritableCatalog;
  readonly clock: Clock;
}

/** Fills the catalog with the sample as it is now, and goes on with its story until that ends or it is stopped. */
export function startSampleSource({ sample, start, catalog, clock }: SampleSourceOptions): CatalogSource {
  const stopped = new AbortController();
  const show = (): void => catalog.replace(sampleAt(sample, start, clock.now()));

  async function tell(): Promise<void> {
    for (const moment of sampleMoments(sample)) {
      const waitMs = start + moment - clock.now();
      if (waitMs <= 0) continue;
      await clock.sleep(waitMs, stopped.signal);
      if (stopped.signal.aborted) return;
      show();
    }
  }

  show();
  const telling = tell();
  return {
    id: `sample:${new Date(start).toISOString()}`,
    sample: true,
    problems: () => [],
    readError: () => null,
    backfilledRows: () => new Set(),
    stop() {
      stopped.abort();
      return telling;
    },
  };
}
