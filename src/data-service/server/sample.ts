import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { Exchange } from "../../domain/split/exchange.ts";
import { addDays, type Day, dayInZone, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE, tradingDayBefore, tradingDayKind } from "../../domain/time/trading-day.ts";
import { type ArticleRow, articleRow, type SplitRow, splitRow } from "../schema.ts";
import type { CatalogContent } from "./served-catalog.ts";

/** Parses `90s` or `2m` to milliseconds. */
const duration = z
  .string()
  .regex(/^\d+[sm]$/)
  .transform((text) => Number.parseInt(text, 10) * (text.endsWith("m") ? MINUTE_MS : 1_000));

/** Split whose dates are given in trading days relative to the start. */
const splitSpec = splitRow
  .omit({ ex_date: true, date_announced: true })
  .extend({ ex_day: z.int(), announced: z.int().max(0).nullable() });

const step = z.union([
  z.strictObject({ after: duration, list: splitSpec }),
  z.strictObject({ after: duration, change: splitSpec.partial().required({ ticker: true }) }),
  z.strictObject({ after: duration, unlist: z.string() }),
  z.strictObject({ after: duration, remind: z.literal(true) }),
]);

const articleSpec = articleRow.omit({ url: true, date_published: true }).extend({
  slug: z.string().regex(/^[a-z0-9-]+$/),
  published: z.int().max(0),
  after: duration.default(0),
});

type SplitSpec = z.infer<typeof splitSpec>;
type Step = z.infer<typeof step>;
type ArticleSpec = z.infer<typeof articleSpec>;

/** Content of the sample at the start, and the steps that change it. */
export interface Sample {
  readonly splits: readonly SplitSpec[];
  readonly story: readonly Step[];
  readonly articles: readonly ArticleSpec[];
}

/** Reads splits.yaml, story.yaml and articles.yaml. */
export async function loadSample(folder: string): Promise<Sample> {
  const [splits, story, articles] = await Promise.all([
    readYaml(join(folder, "splits.yaml"), z.array(splitSpec)),
    readYaml(join(folder, "story.yaml"), z.array(step)),
    readYaml(join(folder, "articles.yaml"), z.array(articleSpec)),
  ]);
  return { splits, story, articles };
}

async function readYaml<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const result = schema.safeParse(parse(await readFile(path, "utf8")));
  if (!result.success) throw new Error(`${path}: ${z.prettifyError(result.error)}`);
  return result.data;
}

/** Content of the sample at `now` if it started at `start`; deterministic. */
export function sampleAt(sample: Sample, start: Instant, now: Instant): CatalogContent {
  const today = dayInZone(start, MARKET_ZONE);
  const isPast = ({ after }: { readonly after: number }): boolean => after <= now - start;
  return {
    splits: [...listedAfter(sample.story.filter(isPast), sample.splits)].map((spec) => splitOf(spec, today)),
    articles: sample.articles.filter(isPast).map((spec) => articleOf(spec, today)),
  };
}

/**
 * After a split leaves the list, the content is published again at these delays: clients report a split as missing only after
 * several lists without it.
 */
const REPEAT_AFTER_MS = [5_000, 10_000, 15_000, 20_000];

/** Times in milliseconds after the start at which the content is published, ascending. */
export function publicationTimes({ story, articles }: Sample): readonly number[] {
  const changes = story.filter((change) => !("remind" in change));
  const repeats = changes
    .filter((change) => "unlist" in change)
    .flatMap(({ after }) => REPEAT_AFTER_MS.map((ms) => after + ms));
  const times = new Set([...changes, ...articles].map(({ after }) => after).concat(repeats));
  return [...times].filter((time) => time > 0).toSorted((a, b) => a - b);
}

/** Times in milliseconds after the start at which the due reminders are created. */
export function reminderTimes({ story }: Sample): readonly number[] {
  return story.filter((change) => "remind" in change).map(({ after }) => after);
}

function listedAfter(steps: readonly Step[], splits: readonly SplitSpec[]): Iterable<SplitSpec> {
  const byTicker = new Map(splits.map((spec) => [spec.ticker, spec]));
  for (const change of steps) {
    if ("list" in change) byTicker.set(change.list.ticker, change.list);
    else if ("unlist" in change) byTicker.delete(change.unlist);
    else if ("change" in change) changeTerms(byTicker, change.change);
  }
  return byTicker.values();
}

function changeTerms(
  byTicker: Map<string, SplitSpec>,
  terms: { readonly [K in keyof SplitSpec]?: SplitSpec[K] | undefined },
): void {
  const before = byTicker.get(terms.ticker ?? "");
  if (!before) throw new Error(`the sample's story changes ${terms.ticker}, which isn't listed at that time`);
  byTicker.set(before.ticker, splitSpec.parse({ ...before, ...terms }));
}

function splitOf({ ex_day, announced, ...terms }: SplitSpec, today: Day): SplitRow {
  return {
    ...terms,
    ex_date: tradingDayFrom(today, ex_day),
    date_announced: announced === null ? null : publicationDay(today, announced),
  };
}

function articleOf({ source, heading, slug, content, published }: ArticleSpec, today: Day): ArticleRow {
  return {
    source,
    heading,
    url: `https://sample.example/${source}/${slug}`,
    content: fillDates(content.trimEnd(), today),
    date_published: publicationDay(today, published),
  };
}

const MARKET = "NASDAQ" as Exchange;

/** The day `n` trading days after (or before, if negative) `today`. 0: `today`, or the next trading day if the market is closed. */
function tradingDayFrom(today: Day, n: number): Day {
  if (n < 0) return tradingDayBefore(MARKET, today, -n);
  let day = today;
  for (let remaining = n; ; day = addDays(day, 1)) {
    if (tradingDayKind(MARKET, day) === "closed") continue;
    if (remaining === 0) return day;
    remaining -= 1;
  }
}

/** Like `tradingDayFrom` for `n` <= 0, but 0 is always `today`, even if the market is closed. */
function publicationDay(today: Day, n: number): Day {
  return n === 0 ? today : tradingDayFrom(today, n);
}

/** Replaces `{today}` and `{day N}` in a text with dates. */
function fillDates(text: string, today: Day): string {
  return text
    .replaceAll("{today}", formatLongDate(today))
    .replace(/\{day (-?\d+)\}/g, (_, n: string) => formatLongDate(tradingDayFrom(today, Number(n))));
}

const LONG_DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** Formats a day as `March 10, 2026`. */
function formatLongDate(day: Day): string {
  return LONG_DATE.format(Date.parse(day));
}
