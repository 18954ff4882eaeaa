import type { Random } from "../random.ts";
import { corporateAction, dailyListRow } from "./notices.ts";
import { announcement, approval, cancellation, forwardSplit, type IssuerParts, postponement } from "./releases.ts";
import { createPlanner, type Month, type Plan, type Publication, type TrueSplit, truthOf } from "./story.ts";

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
  // What is announced after a cancellation is a new plan.
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

/** What is published beside the splits. */
const NOISE: Readonly<Record<string, Writer>> = {
  approval: (plan) => ({ truth: null, publications: [approval({ plan, market: "Nasdaq" }, { on: plan.ex - 3 })] }),
  "forward split": (plan) => ({
    truth: null,
    publications: [
      forwardSplit(otcIssuer(plan), { on: plan.ex - 3 }),
      dailyListRow(plan, { on: plan.ex - 1, row: 1, rate: null }),
    ],
  }),
  "symbol change": (plan) => ({
    truth: null,
    publications: [corporateAction(plan, { on: plan.ex - 3, type: "Change Symbol" })],
  }),
};

const REPETITIONS: readonly (readonly [Readonly<Record<string, Writer>>, number])[] = [
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
