import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import { isIssueWarning } from "../domain/split/quality.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { type DeliveryIssue, type StatusReport, statusCard } from "../messages/answers/status-answer.ts";
import { REPLAY_BUTTON } from "../messages/answers/story-answer.ts";
import { destinationText } from "../messages/format.ts";
import { sourcesCards } from "../messages/source-text.ts";
import { withdrawalNotes } from "../messages/withdrawal-notes.ts";
import { type OutboxSummary, RESOURCES } from "../ports/store.ts";
import { type Call, defineCommand } from "./command.ts";
import type { CommandContext, DataSourceInfo } from "./context.ts";
import { type CurrentData, currentWarnings, readCurrentData, sampleBadges } from "./current-data.ts";
import { MAX_SEND_WAIT_MS } from "./delivery-note.ts";
import { countHeld } from "./destination-state.ts";
import { readNames } from "./names.ts";

export const status = defineCommand({
  name: "status",
  summary: "Data freshness, the last polls, and waiting or failed deliveries",
  example: "status",
  options: {},
  shareable: true,
  async run(_options, call, context) {
    const data = await readCurrentData(context);
    const report = await readStatus(data, call, context, MAX_SEND_WAIT_MS);
    const sources = sourcesCards(context.source.live?.statuses() ?? [], data.time);
    const card = statusCard(report, data.time);
    const buttons = context.source.story ? [...card.buttons, REPLAY_BUTTON] : card.buttons;
    return [{ ...card, buttons, badges: sampleBadges(context) }, ...sources];
  },
});

/** Contents of `status` for the caller and the destination. Waits at most `waitMs` for sends in progress. */
export async function readStatus(
  data: CurrentData,
  call: Call,
  context: CommandContext,
  waitMs = 0,
): Promise<StatusReport> {
  const { snapshot } = data;
  const { store, version, source } = context;
  const outbox = await store.outbox.summary();
  const [polls, held, callProblems, rules, watchers] = await Promise.all([
    store.polls.read(),
    countHeld(outbox, context),
    readCallProblems(call, context, waitMs),
    store.rules.count(),
    store.watchlists.count(),
  ]);
  const splits = [...snapshot.splits.values()];
  return {
    version,
    source: { name: source.name, sample: source.sample, notes: notesOn(data, source), problem: source.problem() },
    splits: polls.splits,
    articles: polls.articles,
    stale: RESOURCES.filter((resource) => context.isStale(resource, polls[resource]?.lastCompleteAt ?? null)),
    quarantinedDocuments: context.quarantinedDocuments(),
    suspicionReason: snapshot.suspicion?.reason ?? null,
    inconsistentTickers: inconsistentTickers(data),
    counts: {
      splits: splits.filter((split) => split.status === "listed").length,
      missing: splits.filter((split) => split.status === "missing").length,
      articles: snapshot.articles.size,
      rules,
      ...watchers,
    },
    waiting: outbox.waiting - held,
    held,
    uncertain: outbox.uncertain,
    totals: outbox.totals,
    platforms: context.deliveries.platformProblems(),
    issues: issuesOf(outbox, callProblems, call, await readForOperator(outbox, call, context)),
    storeProblem: store.health(),
  };
}

/** With live sources, the notes of the source name the disputed withdrawals. */
function notesOn({ snapshot, articles, time }: CurrentData, source: DataSourceInfo): readonly string[] {
  const withdrawals = source.live === null ? withdrawalNotes(snapshot.splits.values(), articles, time.today) : [];
  return [...source.notes(), ...withdrawals];
}

function inconsistentTickers(data: CurrentData): readonly Ticker[] {
  const inconsistent = currentWarnings(data).filter(({ warnings }) => warnings.some(isIssueWarning));
  return inconsistent.map(({ record }) => record.ticker).toSorted();
}

interface Issue extends Pick<DeliveryIssue, "kind" | "reason" | "retry"> {
  readonly to: Destination;
}

/**
 * Problems of deliveries to the caller and the current destination. Read separately, because the outbox summary names only some
 * paused destinations and doesn't wait for sends in progress.
 */
async function readCallProblems(call: Call, context: CommandContext, waitMs: number): Promise<readonly Issue[]> {
  const destinations = new Map(
    [call.destination, call.person].map((destination) => [destinationKey(destination), destination]),
  );
  const problems = await Promise.all(
    [...destinations.values()].map(async (destination) => ({
      to: destination,
      problem: await context.deliveries.problemAt(destination, waitMs),
    })),
  );
  return problems.flatMap(({ to, problem }) => (problem === null ? [] : [{ kind: "paused" as const, to, ...problem }]));
}

/** What only the operator sees of the destinations of others. */
interface OthersProblems {
  readonly nameOf: (to: Destination) => string;
  readonly retryOf: (to: Destination) => Issue["retry"];
}

/** Null for everyone but the operator. */
async function readForOperator(
  { paused, failed, delayed }: OutboxSummary,
  call: Call,
  { store, deliveries }: CommandContext,
): Promise<OthersProblems | null> {
  if (call.isOperator !== true) return null;
  const nameOf = await readNames(
    store,
    [...paused, ...failed, ...delayed].map(({ to }) => to),
  );
  const problems = await Promise.all(
    paused.map(async ({ to }) => [destinationKey(to), await deliveries.problemAt(to, 0)] as const),
  );
  const retries = new Map(problems.map(([key, problem]) => [key, problem?.retry ?? null]));
  return {
    nameOf: (to) => destinationText(to, nameOf(to)),
    retryOf: (to) => retries.get(destinationKey(to)) ?? null,
  };
}

/** Groups issues by platform and reason. Destinations of other people are counted, and named only for the operator. */
function issuesOf(
  outbox: OutboxSummary,
  callProblems: readonly Issue[],
  call: Call,
  others: OthersProblems | null,
): readonly DeliveryIssue[] {
  const issues: readonly Issue[] = [
    ...callProblems,
    ...outbox.paused
      .filter(({ to }) => ownerOf(to, call) === "others")
      .map(({ to, reason }) => ({ kind: "paused" as const, to, reason, retry: others?.retryOf(to) ?? null })),
    ...outbox.failed.map(({ to, reason }) => ({ kind: "failed" as const, to, reason, retry: null })),
    ...outbox.delayed.map(({ to, problem }) => ({ kind: "delayed" as const, to, reason: problem, retry: null })),
  ];
  const issuesByKey = new Map<string, DeliveryIssue>();
  for (const { kind, to, reason, retry } of issues) {
    const recipient = ownerOf(to, call);
    const name = recipient === "others" ? (others?.nameOf(to) ?? null) : null;
    const key = [kind, recipient, to.platform, name, reason].join("|");
    const count = (issuesByKey.get(key)?.count ?? 0) + 1;
    issuesByKey.set(key, { kind, recipient, platform: to.platform, name, reason, retry, count });
  }
  return [...issuesByKey.values()];
}

function ownerOf(to: Destination, { destination, person }: Call): DeliveryIssue["recipient"] {
  const key = destinationKey(to);
  if (key === destinationKey(person)) return "requester";
  return key === destinationKey(destination) ? "here" : "others";
}
