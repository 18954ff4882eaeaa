import type { DigestEvent } from "../../domain/alert/event.ts";
import { button, type Card, card } from "../message.ts";
import { byExDate, splitRow } from "../split-rows.ts";
import { formatCount, type TimeContext } from "../words.ts";

const MOST_ROWS = 20;

/** What the first poll of a source showed: one card instead of an alert for each. */
export function digestCard(event: DigestEvent, at: TimeContext): Card {
  const records = event.records.toSorted(byExDate);
  const more = records.length - MOST_ROWS;
  return card({
    tone: "new",
    title: `${formatCount(records.length, "reverse split")} listed as splitwatch starts to follow this source`,
    lines: [
      "From now on only news is told.",
      ...(more > 0 ? [`${formatCount(more, "more split")} not shown here: /splits list when:all`] : []),
    ],
    rows: records.slice(0, MOST_ROWS).map((record) => splitRow(record, at)),
    buttons: [button("List all", "list when:all")],
  });
}
