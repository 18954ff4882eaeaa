import { byId, el, externalText, onPress } from "./dom.ts";
import type { CurrentSplit, OverviewAnswer } from "./protocol.ts";
import { splitAddress } from "./route.ts";
import { dayOfMonth, nextWeekdays, weekdayName } from "./time.ts";
import { TREATMENT_KEYS, treatmentKey, treatmentName, treatmentView } from "./treatment.ts";

/** The ex dates of the coming two weeks, one cell for each weekday. */
export interface Strip {
  show(overview: OverviewAnswer): void;
}

const DAYS = 14;
/** Further splits of a day are in the table. */
const MAX_PER_DAY = 4;

/** `selectDay` shows the splits of one day in the table. */
export function createStrip(selectDay: (day: string) => void): Strip {
  const panel = byId("strip-panel", HTMLElement);
  let shown = "";

  return {
    show({ today, closedDays, splits }) {
      const days: readonly string[] = nextWeekdays(today, DAYS);
      const upcoming = splits.filter(({ exDate }) => days.includes(exDate));
      // Redraws only after a change, to keep the focus.
      const content = JSON.stringify([today, closedDays, upcoming]);
      if (content === shown) return;
      shown = content;
      const closed: readonly string[] = closedDays;
      panel.hidden = upcoming.length === 0;
      const cells = days.map((day) => {
        const ofDay = upcoming.filter(({ exDate }) => exDate === day);
        return dayView(day, ofDay, { isToday: day === today, isClosed: closed.includes(day), selectDay });
      });
      byId("strip", HTMLOListElement).replaceChildren(...cells);
      byId("strip-legend", HTMLElement).replaceChildren("Fractions: ", ...legendViews(upcoming));
    },
  };
}

interface DayState {
  readonly isToday: boolean;
  readonly isClosed: boolean;
  readonly selectDay: (day: string) => void;
}

function dayView(
  day: string,
  splits: readonly CurrentSplit[],
  { isToday, isClosed, selectDay }: DayState,
): HTMLElement {
  const name = `${isToday ? "Today" : weekdayName(day)} ${dayOfMonth(day)}`;
  const label = el("time", { datetime: day, class: "strip-day" }, name);
  const more = splits.length - MAX_PER_DAY;
  return el(
    "li",
    { "data-today": String(isToday) },
    label,
    isClosed ? el("span", { class: "closed" }, "closed") : null,
    ...splits.slice(0, MAX_PER_DAY).map(chipView),
    more > 0 ? moreButton(day, `${more} more`, selectDay) : null,
  );
}

function moreButton(day: string, text: string, selectDay: (day: string) => void): HTMLElement {
  const button = el("button", { class: "text-button", title: "Show the splits of this day in the table" }, text);
  return onPress(button, () => selectDay(day));
}

/** Badges of splits that may not take effect on the day. */
const UNCERTAIN: readonly string[] = ["MISSING", "POSTPONED", "CANCELLED"];

function chipView(split: CurrentSplit): HTMLElement {
  const key = treatmentKey(split.treatment);
  const uncertainty = split.badges.filter((badge) => UNCERTAIN.includes(badge)).map((badge) => badge.toLowerCase());
  const details = [split.ratio, treatmentName(key), ...uncertainty];
  const chip = el(
    "a",
    {
      class: "chip",
      title: `${split.company}: ${details.join(", ")}`,
      "data-uncertain": String(uncertainty.length > 0),
    },
    treatmentView(key, externalText(split.ticker), "chip-text"),
    el("span", { class: "hidden" }, `, ${details.join(", ")}`),
  );
  chip.href = splitAddress(split.ticker);
  return chip;
}

/** Explains the signs that are shown. */
function legendViews(splits: readonly CurrentSplit[]): readonly Node[] {
  const used = new Set(splits.map(({ treatment }) => treatmentKey(treatment)));
  return TREATMENT_KEYS.filter((key) => used.has(key)).map((key) => treatmentView(key, treatmentName(key), "legend"));
}
