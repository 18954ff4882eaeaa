import { dueReminders } from "../../src/domain/alert/due-reminders.ts";
import type { KnownArticle } from "../../src/domain/article/article.ts";
import { type ArticleDiff, diffArticles } from "../../src/domain/diff/article-diff.ts";
import { type Diff, diffSplits } from "../../src/domain/diff/diff.ts";
import type { DiffSettings, PolledList } from "../../src/domain/diff/snapshot.ts";
import { applyPatch, EMPTY_SNAPSHOT, type Snapshot } from "../../src/domain/diff/snapshot.ts";
import type { RowKey, Split, SplitRecord } from "../../src/domain/split/split.ts";
import { type Day, dayInZone, type Instant, MINUTE_MS } from "../../src/domain/time/day.ts";
import { MARKET_ZONE } from "../../src/domain/time/trading-day.ts";
import { ticker } from "./builders.ts";

export const SETTINGS: DiffSettings = { missingPolls: 3, shrinkGuard: 0.5, firstRun: "silent" };

interface PollOptions {
  readonly unreadable?: readonly string[];
  readonly source?: string;
  readonly sample?: boolean;
  readonly silentRows?: ReadonlySet<RowKey>;
}

/** A source that is polled every two minutes, and the resulting snapshot, without a store or a network. */
export class PolledSource {
  snapshot: Snapshot = EMPTY_SNAPSHOT;
  at: Instant;
  readonly settings: DiffSettings;

  constructor(options: { readonly start?: string; readonly settings?: Partial<DiffSettings> } = {}) {
    this.at = Date.parse(options.start ?? "2026-03-02T14:00:00Z");
    this.settings = { ...SETTINGS, ...options.settings };
  }

  /** A source after its first list and the settling polls that follow it. */
  static settled(records: readonly SplitRecord[], start?: string): PolledSource {
    const source = new PolledSource(start === undefined ? {} : { start });
    source.poll(records, 1 + source.settings.missingPolls);
    return source;
  }

  get splits(): readonly Split[] {
    return [...this.snapshot.splits.values()];
  }

  listOf(records: readonly SplitRecord[], options: PollOptions = {}): PolledList {
    return {
      source: options.source ?? "https://splits.example",
      sample: options.sample ?? false,
      records,
      unreadableTickers: new Set((options.unreadable ?? []).map((text) => ticker(text))),
      backfilledRows: options.silentRows ?? new Set(),
      at: this.at,
      today: dayInZone(this.at, MARKET_ZONE),
    };
  }

  /** Polls the same list `times` times and returns the events, oldest first. */
  poll(records: readonly SplitRecord[], times = 1, options: PollOptions = {}): Diff["events"] {
    return Array.from({ length: times }, () => this.diff(records, options).events).flat();
  }

  diff(records: readonly SplitRecord[], options: PollOptions = {}): Diff {
    this.wait(2);
    const diff = diffSplits(this.snapshot, this.listOf(records, options), this.settings);
    if (diff.patch) this.snapshot = applyPatch(this.snapshot, diff.patch);
    return diff;
  }

  readArticles(
    fresh: readonly KnownArticle[],
    options: {
      complete?: boolean;
      beforeList?: boolean;
      source?: string;
      listed?: readonly SplitRecord[];
      unlistedUrls?: readonly string[];
    } = {},
  ): ArticleDiff {
    this.wait(1);
    const { complete = true, beforeList = false, listed = [], unlistedUrls = [] } = options;
    const { source, sample, at, today } = this.listOf([], options);
    const receivedUrls = new Set([...this.snapshot.articles.keys(), ...fresh.map(({ url }) => url)]);
    for (const url of unlistedUrls) receivedUrls.delete(url);
    const polled = { source, sample, at, today, newArticles: fresh, receivedUrls, listed, complete, beforeList };
    const diff = diffArticles(this.snapshot, polled);
    this.snapshot = applyPatch(this.snapshot, diff.patch);
    return diff;
  }

  remind(before: readonly number[] = [1, 0]): ReturnType<typeof dueReminders>["events"] {
    return this.tick(before).events;
  }

  /** Reminders of an earlier tick that are still valid. */
  stillValid(before: readonly number[] = [1, 0], since?: Day): ReturnType<typeof dueReminders>["events"] {
    return this.tick(before, since).stillValid;
  }

  private tick(before: readonly number[], since?: Day): ReturnType<typeof dueReminders> {
    const today = dayInZone(this.at, MARKET_ZONE);
    const moment = { at: this.at, today, sample: false, lastRemindedOn: since ?? today };
    const due = dueReminders(this.snapshot, before, moment);
    if (due.patch) this.snapshot = applyPatch(this.snapshot, due.patch);
    return due;
  }

  wait(minutes: number): void {
    this.at += minutes * MINUTE_MS;
  }

  setTo(time: string): void {
    this.at = Date.parse(time);
  }
}
