import { z } from "zod";
import {
  type ChangeableTerm,
  type Disagreement,
  EVENT_KINDS,
  type Event,
  isMatchable,
  isSplitEvent,
  type ReleaseLink,
  tickersIn,
} from "../domain/alert/event.ts";
import { subjectsOf } from "../domain/alert/match.ts";
import {
  type FractionEvidence,
  releaseKindSchema,
  type StatedTerms,
  treatmentSchema,
} from "../domain/article/article.ts";
import { oldPerNew, type Ratio, ratioCode, ratioName } from "../domain/split/ratio.ts";
import { type SplitRecord, type Statements, shownSymbol } from "../domain/split/split.ts";
import { tradingDayBefore } from "../domain/time/trading-day.ts";
import { cutText, sanitizeText } from "../lib/external-text.ts";
import { webAddress } from "../lib/web-address.ts";
import type { Card, Fact } from "../messages/message.ts";

const MAX_TITLE_LENGTH = 300;
const MAX_TEXT_LENGTH = 2_000;
const MAX_NAME_LENGTH = 300;
const MAX_LINK_LENGTH = 2_000;
const MAX_LINES = 20;
const MAX_FACTS = 20;
/** Splits, tickers and stated terms of one alert. Only the first list of a source can have more splits. */
const MAX_ENTRIES = 500;

const day = z.iso.date();
const instant = z.iso.datetime();
const link = z.url().nullable().meta({ description: "Null if the source has no http or https address" });

const ratioFields = {
  ratio: z
    .string()
    .nullable()
    .meta({ description: "new:old in lowest integers, such as 1:20; null if it isn't known" }),
  ratio_name: z.string().nullable().meta({ description: "The same for people: 1-for-20" }),
};

const splitSchema = z
  .strictObject({
    ticker: z.string().meta({ description: "The symbol as the list writes it, such as BRK-B" }),
    exchange: z.string(),
    company: z.string().meta({ description: "Empty if it isn't known" }),
    ...ratioFields,
    old_per_new: z.number().nullable().meta({ description: "Number of old shares per new share" }),
    ratio_as_received: z.string().meta({ description: "The data service's own text" }),
    ex_date: day.meta({ description: "First trading day on the split-adjusted basis" }),
    last_trading_day: day.meta({ description: "Last trading day before the split" }),
    date_announced: day.nullable(),
  })
  .meta({ id: "Split" });

const fractionalSchema = z
  .strictObject({
    treatment: treatmentSchema,
    level: z.enum(["holder", "participant"]).nullable().meta({ description: "Null if the release doesn't say" }),
    sentence: z.string().meta({ description: "The sentence of the release, verbatim" }),
    source: z.string(),
    url: link,
  })
  .meta({ id: "Fractional" });

const statedSchema = z
  .strictObject({
    ticker: z.string().nullable(),
    exchange: z.string().nullable(),
    company: z.string().nullable(),
    ...ratioFields,
    ex_date: day.nullable(),
    new_cusip: z.string().nullable(),
  })
  .meta({ id: "StatedTerms", description: "Terms of one split as the release states them; null if not stated" });

const releaseSchema = z
  .strictObject({
    url: link,
    source: z.string().meta({ description: "The news wire" }),
    heading: z.string(),
    published: day,
    kind: releaseKindSchema,
    stated: z.array(statedSchema),
  })
  .meta({ id: "Release" });

const TERM_NAMES = {
  ticker: "ticker",
  ratio: "ratio",
  exDate: "ex_date",
  exchange: "exchange",
  fraction: "fractional",
  newCusip: "new_cusip",
} as const satisfies Record<ChangeableTerm, string>;

const KINDS = [...EVENT_KINDS, "test", "digest"] as const satisfies readonly Event["kind"][];

/** One alert for other programs. Field names follow the data service. */
export const alertPayloadSchema = z
  .strictObject({
    id: z.string().meta({ description: "Identifies the alert; the same in each message that contains it" }),
    kind: z.enum(KINDS),
    at: instant.meta({ description: "When splitwatch detected the event" }),
    test: z.boolean().meta({ description: "True for a test: the content is no event" }),
    sample: z.boolean().meta({ description: "True for sample data: the company is invented" }),
    labels: z.array(z.string()).meta({ description: "Labels of the card: TEST, SAMPLE, LATE, ALREADY IN EFFECT" }),
    title: z.string().meta({ description: "The alert in one line" }),
    lines: z.array(z.string()),
    facts: z.array(
      z
        .strictObject({ label: z.string(), value: z.string(), was: z.string().nullable(), url: link })
        .meta({ id: "Fact" }),
    ),
    warnings: z.array(z.string()).meta({ description: "Reasons to check the data" }),
    tickers: z
      .array(z.string())
      .meta({ description: "Upper case with a dot before the class, such as BRK.B; former symbols too" }),
    exchanges: z.array(z.string()),
    splits: z
      .array(splitSchema)
      .meta({ description: "One for an alert about a split; the listed splits that a release concerns" }),
    previous: splitSchema.nullable().meta({ description: "Terms before the event, of kinds changed and returned" }),
    changed: z.array(z.enum(Object.values(TERM_NAMES))).meta({ description: "The terms that changed" }),
    previous_fractional: fractionalSchema
      .nullable()
      .meta({ description: "Treatment of fractional shares before the event, if it changed" }),
    new_cusip: z.string().nullable().meta({ description: "The new CUSIP, if it changed" }),
    previous_new_cusip: z
      .string()
      .nullable()
      .meta({ description: "The new CUSIP that was stated before, if it changed" }),
    new_cusip_sentence: z.string().nullable().meta({ description: "The sentence that states the new CUSIP" }),
    previous_new_cusip_sentence: z
      .string()
      .nullable()
      .meta({ description: "The sentence that stated the new CUSIP before" }),
    fractional: fractionalSchema.nullable().meta({ description: "Treatment of fractional shares; null if not stated" }),
    release: releaseSchema.nullable().meta({ description: "The release on which the alert is based" }),
    disagreements: z
      .array(z.strictObject({ term: z.enum(["ratio", "ex_date"]), stated: z.string() }))
      .meta({ description: "Terms that a release states differently" }),
    other_rows: z.array(splitSchema).meta({ description: "Other rows of the list for the same ticker" }),
    already_effective: z.boolean().meta({ description: "True if the split was first seen after its ex date" }),
    flapping: z.boolean().meta({ description: "True if the source keeps changing the record" }),
    days_left: z.int().nullable().meta({ description: "Trading days until the ex date, of kind reminder" }),
    outage: z
      .strictObject({ state: z.enum(["begun", "over"]), since: instant })
      .nullable()
      .meta({ description: "Outdated data, of kind stale" }),
  })
  .meta({ id: "Alert" });

export type AlertPayload = Readonly<z.infer<typeof alertPayloadSchema>>;

/** The alert of an event, with the texts of its card. Texts are cut, and links other than http and https are removed. */
export function alertPayload(event: Event, card: Card): AlertPayload {
  return {
    id: event.id,
    kind: event.kind,
    at: isoTime(event.at),
    test: card.badges.includes("TEST"),
    sample: event.sample,
    labels: texts(card.badges, MAX_NAME_LENGTH),
    title: text(card.title, MAX_TITLE_LENGTH),
    lines: texts(card.lines, MAX_TEXT_LENGTH),
    facts: card.facts.slice(0, MAX_FACTS).map(factOf),
    warnings: texts(card.warnings, MAX_TEXT_LENGTH),
    ...securitiesOf(event),
    ...termsOf(event),
    ...evidenceOf(event),
    already_effective: "alreadyEffective" in event && event.alreadyEffective,
    flapping: "flapping" in event && event.flapping,
    days_left: event.kind === "reminder" ? event.daysLeft : null,
    outage: event.kind === "stale" ? { state: event.state, since: isoTime(event.since) } : null,
  };
}

function securitiesOf(event: Event): Pick<AlertPayload, "tickers" | "exchanges"> {
  const exchanges = isMatchable(event) ? subjectsOf(event).flatMap((subject) => subject.exchanges) : [];
  return {
    tickers: [...tickersIn(event)].slice(0, MAX_ENTRIES),
    exchanges: [...new Set(exchanges)].slice(0, MAX_ENTRIES),
  };
}

function termsOf(event: Event): Pick<AlertPayload, "splits" | "previous" | "changed" | StatedFields> {
  return {
    ...statedOfChange(event),
    splits: recordsOf(event).slice(0, MAX_ENTRIES).map(splitOf),
    previous: "was" in event ? splitOf(event.was) : null,
    changed: event.kind === "changed" ? event.terms.map((term) => TERM_NAMES[term]) : [],
  };
}

type StatedFields =
  | "previous_fractional"
  | "new_cusip"
  | "previous_new_cusip"
  | "new_cusip_sentence"
  | "previous_new_cusip_sentence";

function statedOfChange(event: Event): Pick<AlertPayload, StatedFields> {
  const stated = event.kind === "changed" ? event.stated : undefined;
  const hasChanged = (term: ChangeableTerm): boolean => event.kind === "changed" && event.terms.includes(term);
  const fraction = hasChanged("fraction") ? stated?.was.fraction : null;
  const [was, now] = hasChanged("newCusip") ? [stated?.was.newCusip, stated?.now.newCusip] : [];
  return {
    previous_fractional: fraction ? fractionalOf(fraction) : null,
    new_cusip: now?.value ?? null,
    previous_new_cusip: was?.value ?? null,
    new_cusip_sentence: sentenceOf(now),
    previous_new_cusip_sentence: sentenceOf(was),
  };
}

function sentenceOf(statement: Statements["newCusip"] | undefined): string | null {
  return statement?.sentence === undefined ? null : text(statement.sentence, MAX_TEXT_LENGTH);
}

function recordsOf(event: Event): readonly SplitRecord[] {
  if (isSplitEvent(event)) return [event.record];
  if ("splits" in event) return event.splits.map(({ record }) => record);
  return event.kind === "digest" ? event.records : [];
}

function evidenceOf(event: Event): Pick<AlertPayload, "fractional" | "release" | "disagreements" | "other_rows"> {
  const evidence = isSplitEvent(event) ? event : null;
  return {
    fractional: evidence?.fraction ? fractionalOf(evidence.fraction) : releaseFraction(event),
    release: releaseOf(event),
    disagreements: (evidence?.disagreements ?? []).map(disagreementOf),
    other_rows: (evidence?.otherRows ?? []).slice(0, MAX_ENTRIES).map(splitOf),
  };
}

function releaseFraction(event: Event): AlertPayload["fractional"] {
  if (!("article" in event) || event.article.fraction === null) return null;
  const { url, source, fraction } = event.article;
  return fractionalOf({ ...fraction, url, source });
}

function fractionalOf({ treatment, level, sentence, source, url }: FractionEvidence): AlertPayload["fractional"] {
  return {
    treatment,
    level,
    sentence: text(sentence, MAX_TEXT_LENGTH),
    source: text(source, MAX_NAME_LENGTH),
    url: safeLink(url),
  };
}

function releaseOf(event: Event): AlertPayload["release"] {
  if ("article" in event) return toRelease(event.article, event.article.terms);
  if (!isSplitEvent(event)) return null;
  const release = event.release ?? (event.kind === "missing" ? event.withdrawnBy : null);
  return release && toRelease(release, []);
}

function toRelease(
  { url, source, heading, published, kind }: ReleaseLink,
  terms: readonly StatedTerms[],
): AlertPayload["release"] {
  return {
    url: safeLink(url),
    source: text(source, MAX_NAME_LENGTH),
    heading: text(heading, MAX_TITLE_LENGTH),
    published,
    kind,
    stated: terms.slice(0, MAX_ENTRIES).map(statedOf),
  };
}

function statedOf({ ticker, exchange, company, ratio, exDate, newCusip }: StatedTerms) {
  return {
    ticker,
    exchange,
    company: company === null ? null : text(company, MAX_NAME_LENGTH),
    ...ratioOf(ratio),
    ex_date: exDate,
    new_cusip: newCusip,
  };
}

function splitOf(record: SplitRecord): AlertPayload["splits"][number] {
  const { exchange, company, ratio, ratioText, exDate, dateAnnounced } = record;
  return {
    ticker: shownSymbol(record),
    exchange,
    company: text(company, MAX_NAME_LENGTH),
    ...ratioOf(ratio),
    old_per_new: ratio === null ? null : oldPerNew(ratio),
    ratio_as_received: text(ratioText, MAX_NAME_LENGTH),
    ex_date: exDate,
    last_trading_day: tradingDayBefore(exchange, exDate, 1),
    date_announced: dateAnnounced,
  };
}

function ratioOf(ratio: Ratio | null): { readonly ratio: string | null; readonly ratio_name: string | null } {
  return ratio === null ? { ratio: null, ratio_name: null } : { ratio: ratioCode(ratio), ratio_name: ratioName(ratio) };
}

function disagreementOf(disagreement: Disagreement): AlertPayload["disagreements"][number] {
  return disagreement.term === "ratio"
    ? { term: "ratio", stated: ratioCode(disagreement.stated) }
    : { term: "ex_date", stated: disagreement.stated };
}

function factOf({ label, value, was, link: url }: Fact): AlertPayload["facts"][number] {
  return {
    label: text(label, MAX_NAME_LENGTH),
    value: text(value, MAX_TEXT_LENGTH),
    was: was === undefined ? null : text(was, MAX_TEXT_LENGTH),
    url: safeLink(url ?? null),
  };
}

function texts(all: readonly string[], maxLength: number): string[] {
  return all.slice(0, MAX_LINES).map((one) => text(one, maxLength));
}

function text(full: string, maxLength: number): string {
  return sanitizeText(cutText(full, maxLength));
}

function safeLink(url: string | null): string | null {
  const address = webAddress(url ?? "");
  return address === null || address.length > MAX_LINK_LENGTH ? null : address;
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
