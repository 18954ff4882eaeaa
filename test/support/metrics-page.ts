import { createMetrics } from "../../src/lib/metrics.ts";

/** The metrics page after one of every kind of poll, event, delivery, command and source. */
export async function pageWithEveryMetric(): Promise<string> {
  const source = {
    name: "finra",
    verdict: "up",
    requests: 1,
    faults: { timeout: 1 },
    newItemCount: 1,
    gaps: 1,
    lastNewAt: 1,
  };
  const metrics = createMetrics({
    outboxPending: () => 1,
    dataAgeSeconds: () => 1,
    quarantinedDocuments: () => 1,
    queuedDocuments: () => 1,
    destinations: () => ({ due: 1, paused: 1 }),
    platforms: () => ({ web: 1 }),
    qualityWarnings: () => Promise.resolve({ "ratio-unclear": 1 }),
    sources: () => [source],
  });
  for (const resource of ["splits", "articles"] as const)
    for (const outcome of ["complete", "suspicious", "incomplete", "failed"] as const)
      metrics.countPoll(resource, outcome);
  for (const outcome of [
    "sent",
    "sent_blind",
    "retry",
    "intercepted",
    "unknown-outcome",
    "gone",
    "not-allowed",
    "broken-credentials",
    "failed",
    "refused",
    "unrecognized",
  ] as const)
    metrics.countDelivery("web", outcome);
  metrics.countEvent("announced");
  metrics.observeDeliveryMs("web", 1);
  metrics.countCommand("watch", "ok", 1);
  metrics.countRequest({ area: "v1", status: 200, ms: 1 });
  // The second page contains the time that the first one took.
  await metrics.page();
  return (await metrics.page()).text;
}
