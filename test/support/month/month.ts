import type { Random } from "../random.ts";
import { IS_SOAK } from "../soak.ts";
import { delistingNotice, earningsReport, exhibit, report, vote } from "./filings.ts";
import { bulletin, corporateAction, dailyListRow, eveHalt, nasdaqNotice, ventureBulletin } from "./notices.ts";
import { announcement, approval, cancellation, forwardSplit, type IssuerParts, postponement } from "./releases.ts";
import {
  at,
  createPlanner,
  longDate,
  type Month,
  type Plan,
  type Publication,
  type TrueSplit,
  tradingDayNumber,
  truthOf,
} from "./story.ts";

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

/** A fund whose sponsor makes no release. */
function fundOf(plan: Plan): Plan {
  return { ...plan, company: `${plan.company.split(" ")[0]} Daily 2X Short Oil ETF` };
}

/** Splits of funds on Nasdaq. */
const FUNDS: Readonly<Record<string, Writer>> = {
  "with a notice alone": (plan) => {
    const fund = fundOf(plan);
    return { truth: truthOf(fund, "NASDAQ", { announced: plan.ex - 2 }), publications: [firstNotice(fund)] };
  },
};

/** Splits that are filed with the SEC. */
const FILED: Readonly<Record<string, Writer>> = {
  "in the release of a wire that shows nothing": (plan) => ({
    truth: truthOf(plan, "NASDAQ", { announced: plan.ex - 4 }),
    publications: [exhibit(nasdaqIssuer(plan), { on: plan.ex - 4 }), firstNotice(plan)],
  }),
  "in a release that its wire shows, too": (plan) => ({
    truth: truthOf(plan, "NASDAQ", { announced: plan.ex - 4 }),
    publications: [
      announcement(nasdaqIssuer(plan), { on: plan.ex - 4 }),
      exhibit(nasdaqIssuer(plan), { on: plan.ex - 4, minute: EVENING }),
      firstNotice(plan),
    ],
  }),
  "without an exhibit": (plan) => ({
    truth: truthOf(plan, "NASDAQ", { announced: plan.ex - 3 }),
    publications: [report(nasdaqIssuer(plan), { on: plan.ex - 3 }), firstNotice(plan)],
  }),
  "after the vote": (plan) => ({
    truth: nyseTruth(plan, { announced: plan.ex - 4 }),
    publications: [
      vote(nyseIssuer(plan), { on: plan.ex - 6 }),
      exhibit(nyseIssuer(plan), { on: plan.ex - 4 }),
      corporateAction(plan, { on: plan.ex - 3 }),
    ],
  }),
  "by a foreign issuer": (plan) => ({
    truth: nyseTruth(plan, { announced: plan.ex - 4 }),
    publications: [
      exhibit(nyseIssuer(plan), { on: plan.ex - 4, form: "6-K" }),
      corporateAction(plan, { on: plan.ex - 3 }),
    ],
  }),
  "in the evening, as another exhibit": (plan) => ({
    truth: truthOf(plan, "NASDAQ", { announced: plan.ex - 4 }),
    publications: [
      exhibit(nasdaqIssuer(plan), { on: plan.ex - 4, minute: EVENING, type: "EX-99.2" }),
      firstNotice(plan),
    ],
  }),
  "with another ratio than the notice": (plan) => ({
    truth: truthOf(plan, "NASDAQ", { announced: plan.ex - 4 }),
    publications: [exhibit(nasdaqIssuer(plan), { on: plan.ex - 4, old: plan.old + 1 }), firstNotice(plan)],
  }),
};

/** Splits of listings on other exchanges, whose releases name the symbol alone: the directories have the exchange. */
const UNTAGGED: Readonly<Record<string, Writer>> = {
  "with a release": (plan) => ({
    truth: truthOf(plan, "CBOE", { announced: plan.ex - 4 }),
    // The feed of the wire has no symbols of its own.
    publications: [
      announcement(
        { plan: { ...plan, wire: "newsfile" }, market: "Cboe" },
        { on: plan.ex - 4 },
        { symbol: plan.ticker },
      ),
    ],
  }),
};

const cseIssuer = (plan: Plan): IssuerParts => ({ plan, market: "CSE" });

/** Consolidations of CSE listings, which a bulletin announces. */
const CSE: Readonly<Record<string, Writer>> = {
  "with a bulletin alone": (plan) => ({
    truth: truthOf(plan, "CSE", { announced: plan.ex - 3 }),
    publications: [bulletin(plan, { on: plan.ex - 3, topic: "Name Change and Consolidation" })],
  }),
  "with a release": (plan) => ({
    truth: truthOf(plan, "CSE", { announced: plan.ex - 5 }),
    publications: [announcement(cseIssuer(plan), { on: plan.ex - 5 }), bulletin(plan, { on: plan.ex - 3 })],
  }),
  "whose release has another ratio": (plan) => ({
    truth: truthOf(plan, "CSE", { announced: plan.ex - 5, old: plan.old + 1 }),
    publications: [
      announcement(cseIssuer(plan), { on: plan.ex - 5 }),
      bulletin(plan, { on: plan.ex - 3, old: plan.old + 1 }),
    ],
  }),
  "moved in place": (plan) => ({
    truth: truthOf(plan, "CSE", { announced: plan.ex - 3, ex: plan.ex + DELAY }),
    publications: [
      bulletin(plan, { on: plan.ex - 3 }),
      bulletin(plan, { on: plan.ex - 1, first: plan.ex - 3, ex: plan.ex + DELAY }),
    ],
  }),
  "cancelled by a bulletin": (plan) => ({
    truth: null,
    publications: [
      bulletin(plan, { on: plan.ex - 3 }),
      bulletin(plan, {
        on: plan.ex - 1,
        part: 2,
        topic: "Cancellation of Consolidation",
        text: `<p>Further to the bulletin of ${longDate(plan.ex - 3)}, the consolidation of ${plan.company} has been cancelled. The common
          shares continue to trade on their present basis, and orders need not be entered again.</p>`,
      }),
    ],
  }),
};

/** Consolidations of TSX Venture listings, which a bulletin announces. */
const VENTURE: Readonly<Record<string, Writer>> = {
  "with a bulletin alone": (plan) => ({
    truth: truthOf(plan, "TSXV", { announced: plan.ex - 3 }),
    publications: [ventureBulletin(plan, { on: plan.ex - 3, type: "Private Placement, Consolidation" })],
  }),
  "with a release": (plan) => ({
    truth: truthOf(plan, "TSXV", { announced: plan.ex - 5 }),
    publications: [
      announcement({ plan, market: "TSXV" }, { on: plan.ex - 5 }),
      ventureBulletin(plan, { on: plan.ex - 3, old: plan.old }),
    ],
  }),
  "corrected by a second bulletin": (plan) => ({
    truth: truthOf(plan, "TSXV", { announced: plan.ex - 3, ex: plan.ex + DELAY }),
    publications: [
      ventureBulletin(plan, { on: plan.ex - 3 }),
      ventureBulletin(plan, {
        on: plan.ex - 2,
        part: 2,
        type: "Correction",
        sentences: [
          `Further to the bulletin dated ${longDate(plan.ex - 3)}, the common shares will commence trading on a consolidated basis at the opening on ${longDate(plan.ex + DELAY)}.`,
        ],
      }),
    ],
  }),
  "rescinded by a second bulletin": (plan) => ({
    truth: null,
    publications: [
      ventureBulletin(plan, { on: plan.ex - 3 }),
      ventureBulletin(plan, {
        on: plan.ex - 2,
        part: 2,
        type: "Rescinded",
        sentences: [`The bulletin dated ${longDate(plan.ex - 3)} is rescinded.`],
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
  "vote on a range, and a listing rule": (plan) => ({
    truth: null,
    publications: [
      vote(nasdaqIssuer(plan), { on: plan.ex - 3 }),
      delistingNotice(nasdaqIssuer(plan), { on: plan.ex - 2 }),
    ],
  }),
  earnings: (plan) => ({
    truth: null,
    publications: Array.from({ length: 9 }, (_, part) => earningsReport(plan, { on: plan.ex - 3, part })),
  }),
  "halts for other reasons": (plan) => ({
    truth: null,
    publications: [
      eveHalt(plan, { on: plan.ex - 1, reason: "T12" }),
      eveHalt({ ...plan, ticker: `${plan.ticker}W`, company: `${plan.company} Wt` }, { on: plan.ex - 1 }),
    ],
  }),
  "halt before a merger": (plan) => ({
    truth: null,
    publications: [eveHalt(plan, { on: plan.ex - 1, isUnresumed: true })],
  }),
  "other bulletin": (plan) => ({
    truth: null,
    publications: [
      bulletin(plan, { on: plan.ex - 3, topic: "New Listing", text: "<p>The common shares are listed.</p>" }),
    ],
  }),
  "other bulletin of the TSX Venture Exchange": (plan) => ({
    truth: null,
    publications: [
      ventureBulletin(plan, {
        on: plan.ex - 3,
        type: "Name Change",
        sentences: ["The Company has changed its name. There is no consolidation of capital."],
      }),
    ],
  }),
  "symbol change": (plan) => ({
    truth: null,
    publications: [corporateAction(plan, { on: plan.ex - 3, type: "Change Symbol" })],
  }),
};

/** Number of stories of each kind. */
const STORIES_PER_KIND = IS_SOAK ? 2 : 1;

/** Markets whose shares are halted in the evening before a split. */
const HALTED: Readonly<Record<string, string>> = { NASDAQ: "NASDAQ", NYSE: "NYSE", NYSEAMERICAN: "AMEX" };

/** The halt on the eve of a split, if its market halts. */
function haltBefore(plan: Plan, truth: TrueSplit): readonly Publication[] {
  const market = HALTED[truth.exchange];
  return market === undefined ? [] : [eveHalt(plan, { on: tradingDayNumber(truth.exDate) - 1, market })];
}

/** Share of the companies that the symbol directories list only after the split was announced. */
const LATE_SHARE = 0.3;
/** Share of the NYSE's companies that the directories list with a former name. */
const OUTDATED_SHARE = 0.5;

/** The entry of an issuer in the symbol directories. */
function directoryEntry(truth: TrueSplit, formerName: string | null, isLate: boolean): Publication {
  const { ticker, company, exchange, exDate } = truth;
  const on = isLate ? tradingDayNumber(exDate) - DELAY : 0;
  const listed = { ticker, company: formerName ?? company, exchange };
  return { at: at(on, MORNING), publish: ({ symbols }) => symbols.list(listed) };
}

/** A random month: each kind of story several times, with other companies, terms and days. */
export function createMonth(random: Random): Month {
  const nextPlan = createPlanner(random);
  const others = new Set<string>();
  const renamed = new Set<string>();
  const write = (writer: Writer, writers: Readonly<Record<string, Writer>>): Story => {
    const plan = nextPlan();
    if (writers === NOISE) others.add(plan.ticker);
    const { truth, publications } = writer(plan);
    if (truth === null) return { truth, publications };
    const isLate = writers === UNTAGGED || random.chance(LATE_SHARE);
    const isRenamed = writers === NYSE && random.chance(OUTDATED_SHARE);
    if (isRenamed) renamed.add(plan.ticker);
    const entry = directoryEntry(truth, isRenamed ? `Former ${plan.ticker} Holdings Inc.` : null, isLate);
    return { truth, publications: [entry, ...publications, ...haltBefore(plan, truth)] };
  };
  const stories = [NASDAQ, FUNDS, OTC, NYSE, FILED, UNTAGGED, CSE, VENTURE, NOISE].flatMap((writers) =>
    Object.values(writers).flatMap((writer) => Array.from({ length: STORIES_PER_KIND }, () => write(writer, writers))),
  );
  const truth = stories.flatMap((story) => story.truth ?? []);
  return {
    truth,
    others,
    renamed,
    halted: truth.filter(({ exchange }) => exchange in HALTED),
    publications: stories.flatMap(({ publications }) => publications).toSorted((a, b) => a.at - b.at),
  };
}
