import { byId, el, foreign } from "./dom.ts";
import type { DeliveriesState, DeliveryProblem } from "./protocol.ts";
import { relativeTime } from "./server-time.ts";

const STATE_NAMES: Readonly<Record<DeliveryProblem["state"], string>> = {
  delayed: "Delayed",
  paused: "Paused",
  failed: "Failed",
};

/** What waits and what failed, with the reasons. */
export function showDeliveries(deliveries: DeliveriesState): void {
  const { waiting, held, problems } = deliveries;
  byId("deliveries-summary", HTMLElement).textContent = [summary(waiting, problems.length), ...heldWords(held)].join(
    " ",
  );
  byId("deliveries-list", HTMLUListElement).replaceChildren(...problems.map(problemView));
  byId("deliveries", HTMLElement).dataset.state = problems.length === 0 ? "calm" : "trouble";
}

function summary(waiting: number, problems: number): string {
  if (waiting > 0) return waiting === 1 ? "1 alert waits to be delivered." : `${waiting} alerts wait to be delivered.`;
  return problems === 0 ? "Nothing waits and nothing failed." : "Nothing waits.";
}

function heldWords(held: number): readonly string[] {
  if (held === 0) return [];
  return [`${held === 1 ? "1 alert is" : `${held} alerts are`} held as asked: muted, quiet hours or a digest.`];
}

function problemView(problem: DeliveryProblem): HTMLElement {
  const alerts = problem.count === 1 ? "1 alert" : `${problem.count} alerts`;
  return el(
    "li",
    { "data-state": problem.state },
    el(
      "p",
      { class: "meta" },
      el("span", { class: "state" }, STATE_NAMES[problem.state]),
      foreign(problem.where, "where"),
      el("span", {}, alerts),
      whenView(problem),
    ),
    el("p", { class: "line" }, foreign(problem.reason)),
  );
}

function whenView(problem: DeliveryProblem): HTMLElement {
  return problem.state === "delayed"
    ? el("span", {}, "next try ", relativeTime(problem.at, "until"))
    : relativeTime(problem.at);
}
