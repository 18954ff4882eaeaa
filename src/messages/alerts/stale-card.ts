import type { StaleEvent } from "../../domain/alert/event.ts";
import { button, type Card, card } from "../message.ts";
import { formatCount, formatDuration, formatTime, type TimeContext, truncate } from "../words.ts";

/** The data grew old, or is fresh again. */
export function staleCard(event: StaleEvent, { timezone }: TimeContext): Card {
  const since = formatTime(event.since, timezone);
  const buttons = [button("Status", "status")];
  if (event.state === "begun") {
    return card({
      tone: "warning",
      title: `The data is stale: what it shows is as of ${since}`,
      lines: [
        "Alerts may come late until it can be read again. None is lost, and the end of this is told here.",
        `What went wrong last: ${truncate(event.problem, 300)}`,
      ],
      buttons,
    });
  }
  const { eventCount } = event;
  return card({
    tone: "good",
    title: `The data is fresh again after ${formatDuration(event.at - event.since)}`,
    lines: [
      `It had been stale since ${since}.`,
      eventCount === 0
        ? "No news came with it."
        : `${formatCount(eventCount, "piece")} of news came with it, told wherever they were asked for.`,
    ],
    buttons,
  });
}
