import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { WIRES } from "../../domain/article/article.ts";
import { type Day, dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { ArticleRow, SplitRow } from "../schema.ts";
import type { CatalogContent } from "./catalog.ts";
import { fillDates, publicationDay, tradingDayFrom } from "./sample-dates.ts";

/** `90s` or `2m`, in milliseconds. */
const duration = z
  .string()
  .regex(/^\d+[sm]$/)
  .transform((text) => Number.parseInt(text, 10) * (text.endsWith("m") ? 60_000 : 1_000));

const splitSpec = z.strictObject({
  ticker: z.string(),
  exchange: z.string(),
  company: z.string(),
  ratio: z.string(),
  ex_day: z.int(),
  announced: z.int().max(0).nullable(),
});

const step = z.union([
  z.strictObject({ after: duration, list: splitSpec }),
  z.strictObject({ after: duration, change: splitSpec.partial().required({ ticker: true }) }),
  z.strictObject({ after: duration, unlist: z.string() }),
]);

const articleSpec = z.strictObject({
  source: z.enum(WIRES),
  slug: z.string().regex(/^[a-z0-9-]+$/),
  published: z.int().max(0),
  after: duration.default(0),
  heading: z.string(),
  content: z.string(),
});

type SplitSpec = z.infer<typeof splitSpec>;
type Step = z.infer<typeof step>;
type ArticleSpec = z.infer<typeof articleSpec>;

/** The sample: its content at the start, and the steps that change it. */
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

/** Content of the sample at `now` if it started at `start`; deterministic. */
export function sampleAt(sample: Sample, start: Instant, now: Instant): CatalogContent {
  const today = dayInZone(start, MARKET_ZONE);
  const happened = (part: { readonly after: number }): boolean => part.after <= now - start;
  return {
    splits: [...listed(sample.splits, sample.story.filter(happened))].map((spec) => splitOf(spec, today)),
    articles: sample.articles.filter(happened).map((spec) => articleOf(spec, today)),
  };
}

/** Further updates after a split vanished: a reader considers it missing only after several complete lists. */
const REPEAT_AFTER_MS = [5_000, 10_000, 15_000, 20_000];

/** Times of updates, in milliseconds after the start, ascending. */
export function sampleMoments({ story, articles }: Sample): readonly number[] {
  const repeats = story
    .filter((happening) => "unlist" in happening)
    .flatMap(({ after }) => REPEAT_AFTER_MS.map((more) => after + more));
  const moments = new Set([...story, ...articles].map(({ after }) => after).concat(repeats));
  return [...moments].filter((moment) => moment > 0).toSorted((a, b) => a - b);
}

function listed(splits: readonly SplitSpec[], happenings: readonly Step[]): Iterable<SplitSpec> {
  const byTicker = new Map(splits.map((spec) => [spec.ticker, spec]));
  for (const happening of happenings) {
    if ("list" in happening) byTicker.set(happening.list.ticker, happening.list);
    else if ("unlist" in happening) byTicker.delete(happening.unlist);
    else change(byTicker, happening.change);
  }
  return byTicker.values();
}

function change(
  byTicker: Map<string, SplitSpec>,
  terms: { readonly [K in keyof SplitSpec]?: SplitSpec[K] | undefined },
): void {
  const before = byTicker.get(terms.ticker ?? "");
  if (!before) throw new Error(`the sample's story changes ${terms.ticker}, which is not listed then`);
  byTicker.set(before.ticker, splitSpec.parse({ ...before, ...terms }));
}

function splitOf(spec: SplitSpec, today: Day): SplitRow {
  return {
    ticker: spec.ticker,
    exchange: spec.exchange,
    company: spec.company,
    ratio: spec.ratio,
    ex_date: tradingDayFrom(today, spec.ex_day),
    date_announced: spec.announced === null ? null : publicationDay(today, spec.announced),
  };
}

function articleOf(spec: ArticleSpec, today: Day): ArticleRow {
  return {
    source: spec.source,
    heading: spec.heading,
    url: `https://sample.example/${spec.source}/${spec.slug}`,
    content: fillDates(spec.content.trimEnd(), today),
    date_published: publicationDay(today, spec.published),
  };
}

async function readYaml<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const read = schema.safeParse(parse(await readFile(path, "utf8")));
  if (!read.success) throw new Error(`${path}: ${z.prettifyError(read.error)}`);
  return read.data;
}
