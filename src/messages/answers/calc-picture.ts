import { type Ratio, ratioName } from "../../domain/split/ratio.ts";
import { type Conversion, isZero, type Settlement } from "../../domain/split/share-conversion.ts";
import { xmlElement } from "../../lib/markup.ts";
import { treatmentText } from "../format.ts";
import type { Picture } from "../message.ts";
import {
  NOT_STATED_COLORS,
  PICTURE_COLORS,
  PICTURE_FONT,
  type ShapeColors,
  TREATMENT_COLORS,
} from "../picture-style.ts";
import { sharesText } from "../shares-text.ts";
import { fitFontSize, fitText, svgLine, svgText } from "../svg.ts";

/** Content of the picture of a holding before and after a split. */
export interface CalcPicture {
  readonly conversion: Conversion;
  readonly ratio: Ratio;
  /** What becomes of the fraction; null if it isn't known. */
  readonly settlement: Settlement | null;
  /** `8 new shares` */
  readonly resultText: string;
}

const WIDTH = 557;
const HEIGHT = 262;
const MARGIN = 16;

/** A group of old shares that becomes one new share, with the new share below it. */
const BOX = { width: 80, height: 54, gap: 9 } as const;
const BAR = { height: 8, inset: 8 } as const;
const OLD_TOP = 52;
const NEW_TOP = 148;
/** More groups would be too narrow to read. */
const MAX_BOXES = 6;

interface Outcome extends ShapeColors {
  /** Text in the box below the fraction's group. */
  readonly mark: string;
}

const UNKNOWN: Outcome = { mark: "?", ...NOT_STATED_COLORS };

/** Picture of the old shares in groups, each above the new share that it becomes. It contains a holding, so it has no address. */
export function calcPicture(calc: CalcPicture): Picture {
  return { name: "old-and-new-shares", svg: calcSvg(calc), alt: altText(calc), link: null, isSvgOnly: true };
}

function altText({ conversion, ratio, settlement, resultText }: CalcPicture): string {
  const { held, exact, fraction } = conversion;
  const start = `${sharesText(held, "old")} at ${ratioName(ratio)} are ${sharesText(exact, "new")}`;
  if (isZero(fraction)) return `${start}.`;
  const treatment = settlement === null ? "not stated" : treatmentText(settlement.treatment);
  return `${start}. Fraction: ${treatment}. Result: ${resultText}.`;
}

function calcSvg(calc: CalcPicture): string {
  const { conversion, ratio, resultText } = calc;
  const size = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT };
  return xmlElement(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...size, role: "img", "font-family": PICTURE_FONT },
    xmlElement("title", {}, "Old and new shares"),
    xmlElement("desc", {}, svgLine(altText(calc))),
    xmlElement("rect", { width: WIDTH, height: HEIGHT, fill: PICTURE_COLORS.page }),
    heading(34, `${sharesText(conversion.held, "old")}, ${groupText(ratio)}`),
    ...slotsOf(calc).map((slot, position) => slotView(slot, MARGIN + position * (BOX.width + BOX.gap))),
    heading(240, resultText),
  );
}

function heading(y: number, text: string): string {
  const maxWidth = WIDTH - 2 * MARGIN;
  const fontSize = fitFontSize(text, maxWidth, [20, 18, 16, 14], "bold");
  const style = { "font-size": fontSize, "font-weight": "bold", fill: PICTURE_COLORS.text };
  return svgText(MARGIN, y, fitText(text, maxWidth, fontSize, "bold"), style);
}

function groupText({ newShares, oldShares }: Ratio): string {
  return `${oldShares.toLocaleString("en-US")} become ${newShares.toLocaleString("en-US")}`;
}

/** One column of the picture. `hidden`: number of further groups. */
type Slot =
  | { readonly kind: "group"; readonly text: string }
  | { readonly kind: "hidden"; readonly count: bigint }
  | { readonly kind: "fraction"; readonly share: number; readonly text: string; readonly outcome: Outcome };

function slotsOf({ conversion, ratio, settlement }: CalcPicture): readonly Slot[] {
  const { whole, fraction, leftOver } = conversion;
  const fractionSlots: readonly Slot[] = isZero(fraction)
    ? []
    : [
        {
          kind: "fraction",
          share: Number(fraction.numerator) / Number(fraction.denominator),
          text: shortAmount(Number(leftOver.numerator) / Number(leftOver.denominator)),
          outcome: settlement === null ? UNKNOWN : outcomeOf(settlement, conversion),
        },
      ];
  const room = BigInt(MAX_BOXES - fractionSlots.length);
  const shown = whole <= room ? whole : room - 1n;
  const group: Slot = { kind: "group", text: shortAmount(ratio.oldShares / ratio.newShares) };
  return [
    ...Array.from({ length: Number(shown) }, () => group),
    ...(shown < whole ? [{ kind: "hidden" as const, count: whole - shown }] : []),
    ...fractionSlots,
  ];
}

function outcomeOf({ treatment, newShares, cashFor }: Settlement, { whole }: Conversion): Outcome {
  const mark = newShares > whole ? "1" : "0";
  return { mark: cashFor === null ? mark : "cash", ...TREATMENT_COLORS[treatment] };
}

const MAX_SHORT_LENGTH = 6;

/** `2,400`, `7.7`, `≈ 3.33`, `500T` */
function shortAmount(amount: number): string {
  if (amount < 0.01) return "< 0.01";
  if (String(amount).length <= MAX_SHORT_LENGTH) return amount.toLocaleString("en-US", { maximumFractionDigits: 4 });
  if (amount >= 100) return new Intl.NumberFormat("en-US", { notation: "compact" }).format(amount);
  return `≈ ${amount.toFixed(2)}`;
}

function slotView(slot: Slot, x: number): string {
  switch (slot.kind) {
    case "group":
      return [
        box({ x, y: OLD_TOP, fill: PICTURE_COLORS.surface, stroke: PICTURE_COLORS.line }),
        boxText(x, OLD_TOP, slot.text, PICTURE_COLORS.text),
        arrow(x),
        box({ x, y: NEW_TOP, fill: PICTURE_COLORS.brand, stroke: PICTURE_COLORS.brand }),
        boxText(x, NEW_TOP, "1", PICTURE_COLORS.surface),
      ].join("");
    case "hidden":
      return boxText(x, OLD_TOP, "…", PICTURE_COLORS.muted) + hiddenCount(x, slot.count);
    case "fraction":
      return [
        box({ x, y: OLD_TOP, fill: PICTURE_COLORS.page, stroke: PICTURE_COLORS.line }),
        fractionBar(x, slot.share),
        boxText(x, OLD_TOP - BAR.height / 2, slot.text, PICTURE_COLORS.text),
        arrow(x),
        box({ x, y: NEW_TOP, fill: slot.outcome.fill, stroke: slot.outcome.ink }),
        boxText(x, NEW_TOP, slot.outcome.mark, slot.outcome.ink),
      ].join("");
  }
}

/** Bar below the number of shares, filled by `share`, the part of a group that they are. */
function fractionBar(x: number, share: number): string {
  const whole = BOX.width - 2 * BAR.inset;
  const y = OLD_TOP + BOX.height - BAR.inset - BAR.height;
  const place = { x: x + BAR.inset, y, height: BAR.height, rx: BAR.height / 2 };
  return [
    box({ ...place, width: whole, fill: PICTURE_COLORS.surface, stroke: PICTURE_COLORS.line }),
    box({
      ...place,
      width: Math.max(BAR.height, share * whole),
      fill: PICTURE_COLORS.line,
      stroke: PICTURE_COLORS.muted,
    }),
  ].join("");
}

function hiddenCount(x: number, count: bigint): string {
  return boxText(x, NEW_TOP, `+ ${shortAmount(Number(count))}`, PICTURE_COLORS.muted);
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width?: number;
  readonly height?: number;
  readonly rx?: number;
}

function box(place: Place & { readonly fill: string; readonly stroke: string }): string {
  return xmlElement("rect", { width: BOX.width, height: BOX.height, rx: 8, "stroke-width": 1.5, ...place });
}

function boxText(x: number, top: number, text: string, fill: string): string {
  const fontSize = fitFontSize(text, BOX.width - 6, [20, 17, 14, 11, 9], "bold");
  const style = { "font-size": fontSize, "font-weight": "bold", fill, "text-anchor": "middle" };
  return svgText(x + BOX.width / 2, top + BOX.height / 2 + 7, fitText(text, BOX.width, fontSize, "bold"), style);
}

function arrow(x: number): string {
  const style = { "font-size": 22, fill: PICTURE_COLORS.muted, "text-anchor": "middle" };
  return svgText(x + BOX.width / 2, (OLD_TOP + BOX.height + NEW_TOP) / 2 + 8, "↓", style);
}
