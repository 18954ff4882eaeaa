import { call } from "./api.ts";
import type {
  OperatorDestination,
  OperatorMessage,
  OperatorOverviewAnswer,
  OperatorPage,
  OperatorQueue,
  OperatorRules,
  ResumeAnswer,
} from "./protocol.ts";

/** Filters of a list, and the position of the page. Empty texts select everything. */
export type ListQuery = Readonly<Record<"destination" | "after", string>> &
  Readonly<Partial<Record<"ticker" | "state", string>>>;

export function getOperatorOverview(): Promise<OperatorOverviewAnswer> {
  return call("api/operator/overview");
}

export function getMessages(query: ListQuery): Promise<OperatorPage<OperatorMessage>> {
  return call(`api/operator/messages?${queryText(query)}`);
}

export function getQueues(query: ListQuery): Promise<OperatorPage<OperatorQueue>> {
  return call(`api/operator/queues?${queryText(query)}`);
}

export function getRules(query: ListQuery): Promise<OperatorPage<OperatorRules>> {
  return call(`api/operator/rules?${queryText(query)}`);
}

export function postResume({ platform, kind, id }: OperatorDestination): Promise<ResumeAnswer> {
  return call("api/operator/resume", { method: "POST", body: JSON.stringify({ platform, kind, id }) });
}

function queryText(query: ListQuery): string {
  return new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
}
