import type { DataSourceInfo, LiveSourcesInfo } from "../../src/commands/context.ts";
import { createOperatorView, type OperatorContext, type OperatorView } from "../../src/commands/operator-view.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Deliveries } from "../../src/ports/deliveries.ts";
import type { Store } from "../../src/ports/store.ts";
import { idleDeliveries } from "./deliveries.ts";

/** Live sources that state nothing. */
export const SILENT_SOURCES: LiveSourcesInfo = {
  statuses: () => [],
  splitOf: () => null,
  listingProblems: () => [],
  directories: () => [],
  labelOf: (source) => source,
};

export const TEST_SOURCE: DataSourceInfo = {
  id: "test",
  name: "Test data",
  sample: false,
  notes: () => [],
  problem: () => null,
  releaseText: () => null,
  live: SILENT_SOURCES,
};

/** Parts of the context that differ from the default. */
export type OperatorParts = Partial<Omit<OperatorContext, "deliveries"> & { readonly deliveries: Partial<Deliveries> }>;

/** The operator's view of a store, without a deliverer and with one source. */
export function operatorViewOf(store: Store, clock: Clock, { deliveries, ...parts }: OperatorParts = {}): OperatorView {
  return createOperatorView({
    store,
    clock,
    timezone: "America/New_York",
    version: "1.2.3",
    source: TEST_SOURCE,
    isStale: () => false,
    quarantinedDocuments: () => [],
    ...parts,
    deliveries: { ...idleDeliveries(store, clock), ...deliveries },
  });
}
