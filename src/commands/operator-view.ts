import type { Destination } from "../domain/alert/destination.ts";
import { isConfiguredRule } from "../domain/settings/rule.ts";
import { listedRecords } from "../domain/split/quality.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import { cutText, sanitizeText } from "../lib/external-text.ts";
import { forEachInSlices } from "../lib/slices.ts";
import { eventSummaryWithTicker } from "../messages/event-text.ts";
import { destinationText, platformName } from "../messages/format.ts";
import type {
  OperatorDestination,
  OperatorMessage,
  OperatorOverview,
  OperatorPage,
  OperatorPoll,
  OperatorQueue,
  OperatorRules,
  OperatorSource,
  QuarantinedRecord,
} from "../messages/operator-view.ts";
import { describeRule } from "../messages/rule-text.ts";
import { sourceLine } from "../messages/source-text.ts";
import type {
  DeliveriesRequest,
  InspectedMessage,
  InspectedQueue,
  Page,
  PageRequest,
  StoreProcess,
} from "../ports/inspection.ts";
import type { DestinationName } from "../ports/state-records.ts";
import type { PollReport, Resource } from "../ports/store.ts";
import type { CommandContext, LiveSourcesInfo } from "./context.ts";
import { currentMoment, readSnapshotOf } from "./current-data.ts";
import { readNames } from "./names.ts";

/** Contents of the operator's view. Rejects with a StoreError if the store fails. */
export interface OperatorView {
  overview(): Promise<OperatorOverview>;
  /** Sent and failed messages, newest first. */
  messages(request: DeliveriesRequest & { readonly failedOnly: boolean }): Promise<OperatorPage<OperatorMessage>>;
  /** Destinations with waiting deliveries, or those that are paused. */
  queues(request: DeliveriesRequest & { readonly state: "waiting" | "paused" }): Promise<OperatorPage<OperatorQueue>>;
  rules(request: PageRequest): Promise<OperatorPage<OperatorRules>>;
  /** Tries the deliveries of a paused destination immediately. Returns false if it isn't paused. */
  resume(destination: Destination): Promise<boolean>;
}

const MAX_QUARANTINED_SHOWN = 200;
const MAX_TEXT_LENGTH = 500;

/** The parts of the commands' dependencies that the view uses. */
export type OperatorContext = Pick<
  CommandContext,
  "store" | "clock" | "timezone" | "version" | "source" | "isStale" | "quarantinedDocuments" | "deliveries"
>;

export function createOperatorView(context: OperatorContext): OperatorView {
  const { inspection, pauses } = context.store;
  return {
    overview: () => readOverview(context),
    messages: async (request) => mapPage(context, await inspection.messages(request), messageOf),
    queues: async (request) => mapPage(context, await inspection.queues(request), queueOf),
    rules: async (request) =>
      mapPage(context, await inspection.channelRules(request), ({ rules }, to) => ({
        to,
        rules: rules.map((rule) => ({
          number: rule.number,
          text: shortText(describeRule(rule)),
          createdAt: isConfiguredRule(rule) ? null : rule.createdAt,
        })),
      })),
    async resume(destination) {
      const pause = await pauses.of(destination);
      if (pause === null) return false;
      await context.deliveries.retryPaused(destination);
      return true;
    },
  };
}

async function readOverview(context: OperatorContext): Promise<OperatorOverview> {
  const { store, source, version } = context;
  const { snapshot } = await readSnapshotOf(context);
  const listed = listedRecords(snapshot.splits.values());
  const [polls, outbox, sources, processes, rules, watchlists] = await Promise.all([
    store.polls.read(),
    store.outbox.summary(),
    readSources(context, listed),
    store.inspection.processes(),
    store.rules.count(),
    store.watchlists.count(),
  ]);
  return {
    version,
    source: { name: source.name, sample: source.sample, problem: source.problem(), notes: source.notes() },
    storeProblem: store.health(),
    splits: listed.length,
    polls: [pollOf("splits", polls.splits, context), pollOf("articles", polls.articles, context)],
    sources,
    quarantined: quarantinedIn(polls, context.quarantinedDocuments()),
    deliveries: { waiting: outbox.waiting, uncertain: outbox.uncertain, ...outbox.totals },
    subscriptions: { rules, ...watchlists },
    platforms: context.deliveries.platformProblems().map(({ name, reason, rejected, partial }) => ({
      name: platformName(name),
      reason: shortText(reason),
      rejectedSince: rejected?.since ?? null,
      retryAt: (rejected ?? partial)?.retryAt ?? null,
    })),
    processes: processes.map(({ holder, isThis, roles, jobs }) => ({ name: holder, isThis, roles, jobs })),
    missingRoles: missingRoles(processes),
  };
}

/** Roles without which no alert arrives. */
const CONSEQUENCES = {
  poll: "No running process has the role poll: no alerts are made until one starts.",
  deliver: "No running process has the role deliver: alerts wait until one starts.",
};

function missingRoles(processes: readonly StoreProcess[]): readonly string[] {
  const isMissing = (role: string): boolean => processes.every(({ roles }) => roles !== null && !roles.includes(role));
  return Object.entries(CONSEQUENCES).flatMap(([role, consequence]) => (isMissing(role) ? consequence : []));
}

function pollOf(resource: Resource, report: PollReport | null, context: OperatorContext): OperatorPoll {
  if (report === null) return { name: resource, last: null };
  const { outcome, at, lastCompleteAt, records, detail } = report;
  const isGood = outcome === "complete" && !context.isStale(resource, lastCompleteAt);
  const tone = outcome === "failed" ? "bad" : "warning";
  return {
    name: resource,
    last: {
      outcome,
      tone: isGood ? "good" : tone,
      at,
      lastCompleteAt,
      records,
      detail: shortText(detail),
    },
  };
}

async function readSources(
  context: OperatorContext,
  listed: readonly SplitRecord[],
): Promise<readonly OperatorSource[]> {
  const { store, source } = context;
  const { live } = source;
  if (live === null) return [];
  const [statuses, reads, splits] = await Promise.all([
    store.sourceStatuses.read(),
    store.sourceReads.all(),
    countSplitsBySource(listed, live),
  ]);
  const time = currentMoment({ clock: context.clock, readersTimezone: context.timezone });
  const readsBySource = new Map(reads.map((read) => [read.source, read]));
  return statuses.map((status) => ({
    ...sourceLine({ ...status, label: live.labelOf(status.name) }, time),
    firstReadAt: readsBySource.get(status.name)?.firstReadAt ?? null,
    lastOkAt: status.lastOkAt,
    splits: splits.get(status.name) ?? 0,
    items: status.itemCount,
    newItems: status.newItemCount,
    gaps: status.gaps,
    lastGapAt: status.lastGapAt,
    requests: status.requests,
    failures: Object.entries(status.faults).map(([kind, count]) => `${kind} ${count ?? 0}`),
  }));
}

/** Number of the listed splits about which each source states a term. */
async function countSplitsBySource(
  listed: readonly SplitRecord[],
  live: LiveSourcesInfo,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  await forEachInSlices(listed, (record) => {
    const facts = Object.values(live.splitOf(record)?.facts ?? {}).flat();
    for (const source of new Set(facts.map((fact) => fact.source))) counts.set(source, (counts.get(source) ?? 0) + 1);
  });
  return counts;
}

function quarantinedIn(
  polls: Readonly<Record<Resource, PollReport | null>>,
  documents: readonly string[],
): OperatorOverview["quarantined"] {
  const polled: readonly QuarantinedRecord[] = (["splits", "articles"] as const).flatMap((resource) =>
    (polls[resource]?.quarantined ?? []).map((reason) => {
      return { kind: resource === "splits" ? "split" : "article", reason: shortText(reason) };
    }),
  );
  const records = [
    ...documents.toReversed().map((reason) => ({ kind: "document", reason: shortText(reason) })),
    ...polled,
  ];
  return { total: records.length, records: records.slice(0, MAX_QUARANTINED_SHOWN) };
}

function messageOf({ at, end, deliveries, events }: InspectedMessage, to: OperatorDestination): OperatorMessage {
  const isSent = end.kind === "sent";
  return {
    to,
    at,
    failure: isSent ? null : shortText(end.reason),
    link: isSent ? end.ref.link : null,
    sends: end.sends ?? null,
    blindResends: isSent ? end.blindResends : 0,
    deliveries,
    events: events.map((event) => shortText(eventSummaryWithTicker(event))),
  };
}

const ATTEMPT_STATES = {
  ready: "not sent yet",
  sending: "being sent",
  unfound: "outcome unknown",
  uncertain: "outcome unknown",
} as const;

function queueOf(
  { waiting, events, attempt, deferral, pause }: InspectedQueue,
  to: OperatorDestination,
): OperatorQueue {
  return {
    to,
    waiting,
    events: events.map((event) => shortText(eventSummaryWithTicker(event))),
    attempt: attempt && {
      state: ATTEMPT_STATES[attempt.state],
      sends: attempt.sends,
      problem: attempt.problem === null ? null : shortText(attempt.problem),
      notBefore: attempt.notBefore,
    },
    deferral: deferral && {
      reason: shortText(deferral.reason),
      notBefore: deferral.notBefore,
      isTextOnly: deferral.isTextOnly,
    },
    pause: pause && {
      reason: shortText(pause.reason),
      since: pause.at,
      retryAt: pause.retryAt,
      refusals: pause.refusals,
    },
  };
}

function destinationOf(to: Destination, name: DestinationName | null): OperatorDestination {
  const { platform, kind, id } = to;
  return { platform, kind, id, name: shortText(destinationText(to, name)) };
}

function shortText(text: string): string {
  return sanitizeText(cutText(text, MAX_TEXT_LENGTH));
}

async function mapPage<T extends { readonly to: Destination }, R>(
  { store }: Pick<OperatorContext, "store">,
  { items, next }: Page<T>,
  itemOf: (item: T, to: OperatorDestination) => R,
): Promise<OperatorPage<R>> {
  const nameOf = await readNames(
    store,
    items.map(({ to }) => to),
  );
  return { items: items.map((item) => itemOf(item, destinationOf(item.to, nameOf(item.to)))), next };
}
