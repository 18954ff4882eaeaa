import type { Random } from "../random.ts";
import { corporateAction, dailyListRow, nasdaqNotice } from "./notices.ts";
import { announcement, approval, cancellation, forwardSplit, type IssuerParts, postponement } from "./releases.ts";
import { createPlanner, longDate, type Month, type Plan, type Publication, type TrueSplit, truthOf } from "./story.ts";

/** A split with what is published about it. Without a truth, it does not take place within the month. */
interface Story {
  readonly truth: TrueSplit | null;
  readonly publications: readonly Publication[];
}

type Writer = (plan: Plan) => Story;

const MORNING = 8 * 60;
const EVENING = 18 * 60;

/** Trading days by which a postponed split is late. */
const DELAY = 3;

const otcIssuer = (plan: Plan): IssuerParts => ({ plan, market: "OTC" });

/** Over-the-counter splits, which FINRA lists one trading day before. */
const OTC: Readonly<Record<string, Writer>> = {
  "listed by FINRA alone": (plan) => ({
    truth: truthOf(plan, "OTC", { announced: plan.ex - 1 }),
    publications: [dailyListRow(plan, { on: plan.ex - 1, row: 1 }), returnFromD(plan)],
  }),
  "with a release": (plan) => ({
    truth: truthOf(plan, "OTC", { announced: plan.ex - 4 }),
    publications: [
      announcement(otcIssuer(plan), { on: plan.ex - 4 }),
      dailyListRow(plan, { on: plan.ex - 1, row: 1 }),
      returnFromD(plan),
    ],
  }),
  "with a corrected rate": (plan) => ({
    truth: truthOf(plan, "OTC", { announced: plan.ex - 1, old: plan.old + 5 }),
    publications: [
      dailyListRow(plan, { on: plan.ex - 1, row: 1 }),
      dailyListRow(plan, { on: plan.ex - 1, minute: EVENING, row: 2, rate: `1:${plan.old + 5}` }),
    ],
  }),
  "whose release has another ratio": (plan) => ({
    truth: truthOf(plan, "OTC", { announced: plan.ex - 4, old: plan.old + 1 }),
    publications: [
      announcement(otcIssuer(plan), { on: plan.ex - 4 }),
      dailyListRow(plan, { on: plan.ex - 1, row: 1, rate: `1:${plan.old + 1}` }),
    ],
  }),
  "moved by FINRA": (plan) => ({
    truth: truthOf(plan, "OTC", { announced: plan.ex - 4, ex: plan.ex + DELAY }),
    publications: [
      announcement(otcIssuer(plan), { on: plan.ex - 4 }),
      dailyListRow(plan, { on: plan.ex - 1, row: 1 }),
      dailyListRow(plan, { on: plan.ex - 1, minute: EVENING, row: 2, ex: plan.ex + DELAY }),
    ],
  }),
  // An announcement after a cancellation is a new plan.
  "cancelled by FINRA and listed again": (plan) => ({
    truth: truthOf(plan, "OTC", { announced: plan.ex + DELAY - 1, ex: plan.ex + DELAY }),
    publications: [
      announcement(otcIssuer(plan), { on: plan.ex - 4 }),
      dailyListRow(plan, { on: plan.ex - 1, row: 1 }),
      dailyListRow(plan, { on: plan.ex - 1, minute: EVENING, row: 2, comment: "Cancelled, a new date follows" }),
      dailyListRow(plan, { on: plan.ex + DELAY - 1, row: 3, ex: plan.ex + DELAY }),
    ],
  }),
  "cancelled by FINRA": (plan) => ({
    truth: null,
    publications: [
      dailyListRow(plan, { on: plan.ex - 1, row: 1 }),
      dailyListRow(plan, { on: plan.ex - 1, minute: EVENING, row: 2, comment: "Reverse split cancelled" }),
    ],
  }),
};

/** About twenty trading days after the ex date, without a rate. */
function returnFromD(plan: Plan): Publication {
  return dailyListRow(plan, { on: plan.ex + 20, row: 9, ex: plan.ex + 21, rate: null, isReturn: true });
}

const nyseIssuer = (plan: Plan): IssuerParts => ({
  plan,
  market: plan.number % 3 === 0 ? "NYSE American" : "NYSE",
});

function nyseTruth(plan: Plan, end: { announced: number; ex?: number; old?: number }): TrueSplit {
  return truthOf(plan, nyseIssuer(plan).market, end);
}

/** Splits of NYSE listings: the list has the ex date, the release the ratio. */
const NYSE: Readonly<Record<string, Writer>> = {
  "with a release": (plan) => ({
    truth: nyseTruth(plan, { announced: plan.ex - 6 }),
    publications: [announcement(nyseIssuer(plan), { on: plan.ex - 6 }), corporateAction(plan, { on: plan.ex - 5 })],
  }),
  "listed before the release": (plan) => ({
    truth: nyseTruth(plan, { announced: plan.ex - 5 }),
    publications: [corporateAction(plan, { on: plan.ex - 5 }), announcement(nyseIssuer(plan), { on: plan.ex - 4 })],
  }),
  "postponed in the list": (plan) => ({
    truth: nyseTruth(plan, { announced: plan.ex - 6, ex: plan.ex + DELAY }),
    publications: [
      announcement(nyseIssuer(plan), { on: plan.ex - 6 }),
      corporateAction(plan, { on: plan.ex - 5 }),
      postponement(nyseIssuer(plan), { on: plan.ex - 2, minute: MORNING }),
      corporateAction(plan, { on: plan.ex - 1, ex: plan.ex + DELAY }),
    ],
  }),
  "whose release corrects the ratio": (plan) => ({
    truth: nyseTruth(plan, { announced: plan.ex - 6, old: plan.old + 5 }),
    publications: [
      announcement(nyseIssuer(plan), { on: plan.ex - 6 }),
      corporateAction(plan, { on: plan.ex - 5 }),
      {
        ...announcement(nyseIssuer(plan), { on: plan.ex - 6 }, { old: plan.old + 5 }),
        at: announcement(nyseIssuer(plan), { on: plan.ex - 4 }).at,
      },
    ],
  }),
  cancelled: (plan) => ({
    truth: null,
    publications: [
      announcement(nyseIssuer(plan), { on: plan.ex - 6 }),
      corporateAction(plan, { on: plan.ex - 5 }),
      cancellation(nyseIssuer(plan), { on: plan.ex - 2 }),
      corporateAction(plan, { on: plan.ex - 2, status: "Cancelled" }),
    ],
  }),
};

const nasdaqIssuer = (plan: Plan): IssuerParts => ({ plan, market: "Nasdaq" });

/** The first version of a notice, two trading days before the ex date. */
const firstNotice = (plan: Plan): Publication => nasdaqNotice(plan, { on: plan.ex - 2 });

/** The notice with other texts on the trading day before the ex date. */
function revisedNotice(plan: Plan, terms: { ex?: number; old?: number; text?: string; title?: string }): Publication {
  return nasdaqNotice(plan, { on: plan.ex - 1, minute: MORNING, first: plan.ex - 2, ...terms });
}

function undatedText({ company, ticker, old }: Plan): string {
  return `${company} (${ticker}) will effect a (1-${old}) reverse split of its common stock. The effective date of the reverse stock split is to be announced.`;
}

/** Splits of Nasdaq listings, which Nasdaq announces two trading days before. */
const NASDAQ: Readonly<Record<string, Writer>> = {
  "with a release": (plan) => ({
    truth: truthOf(plan, "NASDAQ", { announced: plan.ex - 4 }),
    publications: [announcement(nasdaqIssuer(plan), { on: plan.ex - 4 }), firstNotice(plan)],
  }),
  "with a notice alone": (plan) => ({
    truth: truthOf(plan, "NASDAQ", { announced: plan.ex - 2 }),
    publications: [firstNotice(plan)],
  }),
  "with a release after the notice": (plan) => ({
    truth: truthOf(plan, "NASDAQ", { announced: plan.ex - 2 }),
    publications: [firstNotice(plan), announcement(nasdaqIssuer(plan), { on: plan.ex - 1 })],
  }),
  "whose release has another ratio": (plan) => ({
    truth: truthOf(plan, "NASDAQ", { announced: plan.ex - 4, old: plan.old + 1 }),
    publications: [
      announcement(nasdaqIssuer(plan), { on: plan.ex - 4 }),
      nasdaqNotice(plan, { on: plan.ex - 2, old: plan.old + 1 }),
    ],
  }),
  "postponed in place": (plan) => ({
    truth: truthOf(plan, "NASDAQ", { announced: plan.ex - 4, ex: plan.ex + DELAY }),
    publications: [
      announcement(nasdaqIssuer(plan), { on: plan.ex - 4 }),
      firstNotice(plan),
      revisedNotice(plan, { ex: plan.ex + DELAY }),
    ],
  }),
  "whose ratio changes in place": (plan) => ({
    truth: truthOf(plan, "NASDAQ", { announced: plan.ex - 4, old: plan.old + 10 }),
    publications: [
      announcement(nasdaqIssuer(plan), { on: plan.ex - 4 }),
      firstNotice(plan),
      revisedNotice(plan, { old: plan.old + 10 }),
    ],
  }),
  "postponed without a date": (plan) => ({
    truth: null,
    publications: [
      announcement(nasdaqIssuer(plan), { on: plan.ex - 4 }),
      firstNotice(plan),
      revisedNotice(plan, { text: undatedText(plan) }),
    ],
  }),
  "postponed, then dated": (plan) => ({
    truth: truthOf(plan, "NASDAQ", { announced: plan.ex - 4, ex: plan.ex + 2 * DELAY }),
    publications: [
      announcement(nasdaqIssuer(plan), { on: plan.ex - 4 }),
      firstNotice(plan),
      revisedNotice(plan, { text: undatedText(plan) }),
      nasdaqNotice(plan, { on: plan.ex + DELAY, first: plan.ex - 2, ex: plan.ex + 2 * DELAY }),
    ],
  }),
  "cancelled in place": (plan) => ({
    truth: null,
    publications: [
      announcement(nasdaqIssuer(plan), { on: plan.ex - 4 }),
      firstNotice(plan),
      cancellation(nasdaqIssuer(plan), { on: plan.ex - 1, minute: MORNING - 30 }),
      revisedNotice(plan, {
        text: `${plan.company} (${plan.ticker}) has cancelled its previously announced reverse split of its common stock.`,
      }),
    ],
  }),
};

/** Publications that are not about the splits. */
const NOISE: Readonly<Record<string, Writer>> = {
  approval: (plan) => ({ truth: null, publications: [approval({ plan, market: "Nasdaq" }, { on: plan.ex - 3 })] }),
  "forward split": (plan) => ({
    truth: null,
    publications: [
      forwardSplit(otcIssuer(plan), { on: plan.ex - 3 }),
      dailyListRow(plan, { on: plan.ex - 1, row: 1, rate: null }),
    ],
  }),
  "name change": (plan) => ({
    truth: null,
    publications: [
      nasdaqNotice(plan, {
        on: plan.ex - 2,
        title: `Information Regarding the Name and CUSIP Number Change for ${plan.company} (${plan.ticker})`,
        text: `The name of ${plan.company} (${plan.ticker}) will change on ${longDate(plan.ex, true)}.`,
      }),
    ],
  }),
  "symbol change": (plan) => ({
    truth: null,
    publications: [corporateAction(plan, { on: plan.ex - 3, type: "Change Symbol" })],
  }),
};

const REPETITIONS: readonly (readonly [Readonly<Record<string, Writer>>, number])[] = [
  [NASDAQ, 3],
  [OTC, 3],
  [NYSE, 3],
  [NOISE, 2],
];

/** A random month: each kind of story several times, with other companies, terms and days. */
export function createMonth(random: Random): Month {
  const plan = createPlanner(random);
  const stories = REPETITIONS.flatMap(([writers, times]) =>
    Object.values(writers).flatMap((write) => Array.from({ length: times }, () => write(plan()))),
  );
  return {
    truth: stories.flatMap(({ truth }) => truth ?? []),
    publications: stories.flatMap(({ publications }) => publications).toSorted((a, b) => a.at - b.at),
  };
}
