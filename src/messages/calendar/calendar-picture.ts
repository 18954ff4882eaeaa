import type { CalendarEntry } from "../../domain/split/calendar-entries.ts";
import { exchangeName } from "../../domain/split/exchange.ts";
import { ratioLabel, type SplitRecord, shownSymbol } from "../../domain/split/split.ts";
import type { Day, Instant } from "../../domain/time/day.ts";
import { groupBy } from "../../lib/collections.ts";
import { xmlElement } from "../../lib/markup.ts";
import {
  formatCount,
  formatDay,
  formatDistance,
  formatTime,
  joinList,
  type TimeContext,
  treatmentText,
} from "../format.ts";
import {
  NOT_STATED_COLORS,
  PICTURE_COLORS,
  PICTURE_FONT,
  type ShapeColors,
  TREATMENT_COLORS,
} from "../picture-style.ts";
import { hasRecordWarning } from "../split-text.ts";
import { fitFontSize, fitText, svgLine, svgText, type Weight } from "../svg.ts";
import { NOT_STATED, TREATMENT_NAMES } from "../treatment-names.ts";
import { stateLabel } from "./calendar-events.ts";

/** Content of the picture of upcoming ex dates. */
export interface CalendarPicture {
  /** Upcoming entries, sorted by day. */
  readonly entries: readonly CalendarEntry[];
  readonly sample: boolean;
  readonly source: string;
  /** True after a complete list of splits was read. */
  readonly hasList: boolean;
  /** Time of the last complete poll; null before the first since startup. */
  readonly readAt: Instant | null;
}

/** Box with the splits of one day; `top` is its y coordinate. */
interface DayBox {
  readonly day: Day;
  readonly entries: readonly CalendarEntry[];
  readonly top: number;
}

/** More entries would be too small to read in a chat. */
const MAX_ENTRIES = 16;

const WIDTH = 1200;
const MIN_HEIGHT = 630;
const MARGIN = 40;
const BOXES_TOP = 168;
const FOOTER_HEIGHT = 76;
const ROW_HEIGHT = 56;
const BOX_GAP = 10;
const MORE_LINE_HEIGHT = 44;

/** Left edges of the columns. The first four fit on a phone, which shows the left part of the picture. */
const X = { day: MARGIN + 24, ticker: 250, ratio: 362, fraction: 506, company: 696, exchange: 1004 } as const;
/** Maximum text widths of the columns. */
const MAX_WIDTH = {
  ticker: X.ratio - X.ticker - 10,
  ratio: X.fraction - X.ratio - 12,
  company: X.exchange - X.company - 14,
  exchange: WIDTH - MARGIN - 20 - X.exchange,
} as const;
/** Size of the rounded label of the treatment. */
const CHIP = { width: X.company - 22 - X.fraction, height: 34 } as const;

const BOLD = { "font-weight": "bold", fill: PICTURE_COLORS.text } as const;

/** Upcoming ex dates as an SVG with large type, because it is shown in chats. */
export function calendarSvg(picture: CalendarPicture, context: TimeContext): string {
  const shownEntries = picture.entries.slice(0, MAX_ENTRIES);
  const hiddenCount = picture.entries.length - shownEntries.length;
  const boxes = boxesOf(shownEntries);
  const contentBottom = bottomOf(boxes) + (hiddenCount > 0 ? MORE_LINE_HEIGHT : 0);
  const height = Math.max(MIN_HEIGHT, contentBottom + FOOTER_HEIGHT);
  const size = { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height };
  return xmlElement(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...size, role: "img", "font-family": PICTURE_FONT },
    xmlElement("title", {}, svgLine(titleOf(picture))),
    xmlElement("desc", {}, svgLine(calendarAltText(picture, context))),
    xmlElement("rect", { width: WIDTH, height, fill: PICTURE_COLORS.page }),
    header(picture),
    ...(boxes.length === 0 ? [emptyPicture(picture)] : [columnNames(), ...dayBoxes(boxes, shownEntries, context)]),
    hiddenCount > 0 ? smallText(X.ticker, contentBottom - 16, `and ${formatCount(hiddenCount, "more", "more")}`) : "",
    picture.sample ? watermark(height) : "",
    footer(picture, context, height),
  );
}

/** Alternative text with the picture's content. */
export function calendarAltText(picture: CalendarPicture, context: TimeContext): string {
  if (picture.entries.length === 0) return emptyText(picture);
  const shownEntries = picture.entries.slice(0, MAX_ENTRIES).map((entry) => entryText(entry));
  const hiddenCount = picture.entries.length - shownEntries.length;
  const moreText = hiddenCount > 0 ? ` And ${formatCount(hiddenCount, "more", "more")}.` : "";
  return `${picture.sample ? "SAMPLE, invented companies. " : ""}${shownEntries.join("; ")}.${moreText} ${sourceText(picture, context)}`;
}

function entryText({ day, record, state, evidence }: CalendarEntry): string {
  const fraction = evidence.fraction === null ? "not stated" : treatmentText(evidence.fraction.treatment);
  const label = stateLabel(state);
  const name = `${shownSymbol(record)} ${ratioLabel(record)} on ${exchangeName(record.exchange)}`;
  return `${formatDay(day)}: ${name}, ${label === null ? `fractional shares ${fraction}` : label}`;
}

function titleOf({ sample }: CalendarPicture): string {
  return sample ? "SAMPLE: upcoming reverse splits" : "Upcoming reverse splits";
}

function boxesOf(entries: readonly CalendarEntry[]): readonly DayBox[] {
  let top = BOXES_TOP;
  return [...groupBy(entries, ({ day }) => day)].map(([day, dayEntries]) => {
    const box = { day, entries: dayEntries, top };
    top = bottomOf([box]);
    return box;
  });
}

function bottomOf(boxes: readonly DayBox[]): number {
  const last = boxes.at(-1);
  return last === undefined ? BOXES_TOP : last.top + last.entries.length * ROW_HEIGHT + BOX_GAP;
}

function header(picture: CalendarPicture): string {
  const { entries } = picture;
  const [first, last] = [entries.at(0)?.day, entries.at(-1)?.day];
  const span = first === undefined || last === undefined || first === last ? [first] : [first, last];
  const days = joinList(span.filter((day) => day !== undefined).map(formatDay)).replace(" and ", " to ");
  return [
    xmlElement("rect", { width: WIDTH, height: 112, fill: PICTURE_COLORS.brand }),
    logo(),
    svgText(120, 58, "Upcoming reverse splits", {
      "font-size": 40,
      "font-weight": "bold",
      fill: PICTURE_COLORS.surface,
    }),
    svgText(
      120,
      92,
      entries.length === 0 ? "No upcoming ex dates" : `${formatCount(entries.length, "ex date")}: ${days}`,
      {
        "font-size": 22,
        fill: "#cdeeea",
      },
    ),
    picture.sample ? sampleBadge() : "",
  ].join("");
}

/** The logo: several shares become one. */
function logo(): string {
  const oldShares = [24, 49, 74].map((y) =>
    xmlElement("rect", { x: MARGIN, y, width: 16, height: 16, rx: 5, fill: "#8fe0da" }),
  );
  return [
    ...oldShares,
    xmlElement("rect", { x: MARGIN + 28, y: 40, width: 34, height: 34, rx: 9, fill: PICTURE_COLORS.surface }),
  ].join("");
}

function sampleBadge(): string {
  const badge = { x: 872, y: 32, width: 288, height: 48, rx: 10, fill: "#ffd9c7" };
  const textStyle = { "font-size": 20, "font-weight": "bold", fill: "#7c2206", "text-anchor": "middle" };
  return xmlElement("rect", badge) + svgText(1016, 63, "SAMPLE DATA", textStyle);
}

function columnNames(): string {
  const names = [
    [X.day, "EX DATE"],
    [X.ticker, "TICKER"],
    [X.ratio, "RATIO"],
    [X.fraction, "FRACTIONS"],
    [X.company, "COMPANY"],
    [X.exchange, "EXCHANGE"],
  ] as const;
  return names
    .map(([x, name]) =>
      svgText(x, BOXES_TOP - 18, name, { "font-size": 15, "letter-spacing": 1.5, fill: PICTURE_COLORS.muted }),
    )
    .join("");
}

function dayBoxes(
  boxes: readonly DayBox[],
  entries: readonly CalendarEntry[],
  context: TimeContext,
): readonly string[] {
  const sizes = sizesFor(entries.map(({ record }) => record));
  return boxes.map((box) => dayBox(box, context, sizes));
}

interface Sizes {
  readonly ticker: number;
  readonly company: number;
  readonly exchange: number;
  readonly ratio: number;
}

const BOLD_SIZES = [23, 21, 19, 17, 15];
const NORMAL_SIZES = [18, 16];

/** One font size per column, small enough for its longest text; longer texts are truncated. */
function sizesFor(records: readonly SplitRecord[]): Sizes {
  const tickers = records.map(shownSymbol);
  const companies = records.map(({ company }) => company);
  const exchanges = records.map(({ exchange }) => exchangeName(exchange));
  return {
    ticker: columnFontSize(tickers, MAX_WIDTH.ticker, "bold"),
    company: columnFontSize(companies, MAX_WIDTH.company, "normal"),
    exchange: columnFontSize(exchanges, MAX_WIDTH.exchange, "normal"),
    ratio: columnFontSize(records.map(ratioLabel), MAX_WIDTH.ratio, "bold"),
  };
}

function columnFontSize(texts: readonly string[], maxWidth: number, weight: Weight): number {
  const sizes = weight === "bold" ? BOLD_SIZES : NORMAL_SIZES;
  return Math.min(...texts.map((text) => fitFontSize(text, maxWidth, sizes, weight)));
}

function dayBox({ day, entries, top }: DayBox, context: TimeContext, sizes: Sizes): string {
  const height = entries.length * ROW_HEIGHT;
  const frame = { x: MARGIN, width: WIDTH - 2 * MARGIN, height, rx: 12 };
  const exchange = entries[0]?.record.exchange;
  return [
    xmlElement("rect", {
      ...frame,
      y: top,
      fill: PICTURE_COLORS.surface,
      stroke: PICTURE_COLORS.line,
      "stroke-width": 1,
    }),
    svgText(X.day, top + 25, formatDay(day).replace(/ \d{4}$/, ""), { "font-size": 21, ...BOLD }),
    exchange === undefined ? "" : smallText(X.day, top + 46, formatDistance(exchange, context.today, day)),
    ...entries.map((entry, index) => entryLine(entry, { top: top + index * ROW_HEIGHT, isRuled: index > 0, sizes })),
  ].join("");
}

interface Line {
  readonly top: number;
  /** True if a line separates the entry from the entry above. */
  readonly isRuled: boolean;
  readonly sizes: Sizes;
}

function entryLine(entry: CalendarEntry, { top, isRuled, sizes }: Line): string {
  const { record, state } = entry;
  const y = top + ROW_HEIGHT / 2 + 8;
  const isWithdrawn = state.kind === "withdrawn";
  const withdrawnStyle = isWithdrawn ? { "text-decoration": "line-through", fill: PICTURE_COLORS.muted } : {};
  const rule = { x1: X.ticker, x2: WIDTH - MARGIN - 20, y1: top, y2: top, stroke: "#e3eaf1" };
  return [
    isRuled ? xmlElement("line", rule) : "",
    svgText(X.ticker, y, fitText(shownSymbol(record), MAX_WIDTH.ticker, sizes.ticker, "bold"), {
      "font-size": sizes.ticker,
      ...BOLD,
      ...withdrawnStyle,
    }),
    svgText(
      X.ratio,
      hasRecordWarning(record) ? y - 8 : y,
      fitText(ratioLabel(record), MAX_WIDTH.ratio, sizes.ratio, "bold"),
      {
        "font-size": sizes.ratio,
        ...BOLD,
        ...withdrawnStyle,
      },
    ),
    hasRecordWarning(record)
      ? svgText(X.ratio, y + 11, "check the data", { "font-size": 15, fill: ALARM_COLORS.ink })
      : "",
    chip(entry, top + (ROW_HEIGHT - CHIP.height) / 2),
    svgText(X.company, y - 1, fitText(record.company, MAX_WIDTH.company, sizes.company), {
      "font-size": sizes.company,
      fill: PICTURE_COLORS.muted,
    }),
    svgText(X.exchange, y - 1, fitText(exchangeName(record.exchange), MAX_WIDTH.exchange, sizes.exchange), {
      "font-size": sizes.exchange,
      fill: PICTURE_COLORS.muted,
    }),
  ].join("");
}

const ALARM_COLORS: ShapeColors = { fill: "#fddfd6", ink: "#8a2409" };

/** Rounded label with the treatment of fractions, or with the split's state if it may not take effect. */
function chip({ state, evidence }: CalendarEntry, y: number): string {
  const label = stateLabel(state);
  const treatment = evidence.fraction?.treatment;
  const text = label ?? (treatment === undefined ? NOT_STATED : TREATMENT_NAMES[treatment]);
  const treatmentColors = treatment === undefined ? NOT_STATED_COLORS : TREATMENT_COLORS[treatment];
  const { fill, ink } = label === null ? treatmentColors : ALARM_COLORS;
  const style = { "font-size": 18, "font-weight": "bold", fill: ink, "text-anchor": "middle" };
  return (
    xmlElement("rect", { x: X.fraction, y, width: CHIP.width, height: CHIP.height, rx: CHIP.height / 2, fill }) +
    svgText(X.fraction + CHIP.width / 2, y + 23, text, style)
  );
}

function emptyPicture(picture: CalendarPicture): string {
  const centered = { "text-anchor": "middle" };
  const box = { x: MARGIN, y: 148, width: WIDTH - 2 * MARGIN, height: MIN_HEIGHT - 148 - FOOTER_HEIGHT, rx: 12 };
  return [
    xmlElement("rect", { ...box, fill: PICTURE_COLORS.surface, stroke: PICTURE_COLORS.line }),
    svgText(WIDTH / 2, 340, "No upcoming splits", { "font-size": 40, ...BOLD, ...centered }),
    svgText(WIDTH / 2, 386, emptyText(picture), { "font-size": 21, fill: PICTURE_COLORS.muted, ...centered }),
  ].join("");
}

function emptyText({ hasList }: CalendarPicture): string {
  return hasList
    ? "The source lists no reverse splits with an ex date from today on."
    : "No list of splits has been read yet.";
}

/** Large, faint text, so that every part of the picture is marked as sample data. */
function watermark(height: number): string {
  const style = { "font-size": 150, "font-weight": "bold", fill: "#b3300c", "fill-opacity": 0.07 };
  const marks: string[] = [];
  for (let y = 330; y < height; y += 330)
    marks.push(
      svgText(WIDTH / 2, y, "SAMPLE", {
        ...style,
        "text-anchor": "middle",
        transform: `rotate(-14 ${WIDTH / 2} ${y})`,
      }),
    );
  return marks.join("");
}

function footer(picture: CalendarPicture, context: TimeContext, height: number): string {
  return [
    smallText(MARGIN, height - 40, fitText(sourceText(picture, context), 1_080, 17)),
    smallText(MARGIN, height - 16, "Fractions: how fractional shares are treated, if a release states it."),
    svgText(WIDTH - MARGIN, height - 16, "splitwatch", {
      "font-size": 19,
      "font-weight": "bold",
      fill: PICTURE_COLORS.brand,
      "text-anchor": "end",
    }),
  ].join("");
}

function sourceText({ source, readAt }: CalendarPicture, context: TimeContext): string {
  return readAt === null ? `Source: ${source}` : `Source: ${source}, read ${formatTime(readAt, context.timezone)}`;
}

function smallText(x: number, y: number, text: string): string {
  return svgText(x, y, text, { "font-size": 17, fill: PICTURE_COLORS.muted });
}
