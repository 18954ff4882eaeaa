import { createHash } from "node:crypto";
import { isSameDestination } from "../../domain/alert/destination.ts";
import type { Exchange } from "../../domain/split/exchange.ts";
import { canonicalTicker, selectorsOf, type Ticker } from "../../domain/split/ticker.ts";
import type { Instant } from "../../domain/time/day.ts";
import { BoundedMap } from "../../lib/collections.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import { alertsOf, feedEntry, type StoredAlert } from "./entry.ts";
import type { FeedFormat } from "./formats.ts";
import { ALERTS } from "./settings.ts";

/** Entries of a document. */
const MAX_ENTRIES = 100;
/** The newest postings, from which filters select. */
const MAX_POSTINGS = 1_000;
/** Written documents that are kept until the next alert: three without a filter, and those that were requested last. */
const MAX_DOCUMENTS = 100;

/** A written document with its validators. */
export interface WrittenDocument {
  readonly body: Buffer<ArrayBuffer>;
  readonly mediaType: string;
  /** In quotes. */
  readonly etag: string;
  /** In whole seconds. */
  readonly lastModified: Date;
}

/** Selects alerts with one of the tickers and one of the exchanges. An empty list selects all. */
export interface FeedFilter {
  readonly tickers: readonly string[];
  readonly exchanges: readonly string[];
}

export interface FeedDocumentsOptions {
  readonly store: Pick<Store, "postings">;
  readonly clock: Clock;
  readonly log: Log;
  /** External address, without a trailing slash. */
  readonly publicUrl: string;
}

export interface FeedDocuments {
  /** The document of a format, written once per filter until the next alert. Rejects with a StoreError. */
  read(format: FeedFormat, filter: FeedFilter): Promise<WrittenDocument>;
  /** Ends the updates. */
  close(): void;
}

/** An alert with the time at which the feeds got it, which can be long after the event. */
interface PublishedAlert {
  readonly alert: StoredAlert;
  readonly at: Instant;
}

/** Alerts and written documents, until the next posting. */
interface Current {
  /** Newest first. */
  readonly alerts: Promise<readonly PublishedAlert[]>;
  readonly documents: BoundedMap<string, WrittenDocument>;
}

export function createFeedDocuments({ store, clock, log, publicUrl }: FeedDocumentsOptions): FeedDocuments {
  const startedAt = clock.now();
  let current: Current | null = null;
  let hasReported = false;
  const close = store.postings.onPosted((to) => {
    if (to === null || isSameDestination(to, ALERTS)) current = null;
  });

  async function readAlerts(): Promise<readonly PublishedAlert[]> {
    const postings = await store.postings.list({ to: [ALERTS], after: 0, limit: MAX_POSTINGS });
    const stored = postings.flatMap(({ body, at }) => alertsOf(body).map((alert) => ({ alert, at })));
    const readable = stored.flatMap(({ alert, at }) => (alert === null ? [] : [{ alert, at }]));
    report({
      reduced: readable.filter(({ alert }) => alert.payload === null).length,
      skipped: stored.length - readable.length,
    });
    return readable.toReversed();
  }

  /** Logs once that feeds show alerts of another version without some of their parts, or not at all. */
  function report(counts: { readonly reduced: number; readonly skipped: number }): void {
    if (hasReported || (counts.reduced === 0 && counts.skipped === 0)) return;
    hasReported = true;
    log.warn("alerts of another version in feeds", counts);
  }

  function begin(): Current {
    const begun: Current = { alerts: readAlerts(), documents: new BoundedMap(MAX_DOCUMENTS) };
    current = begun;
    // The next request reads again.
    begun.alerts.catch(() => {
      if (current === begun) current = null;
    });
    return begun;
  }

  return {
    close,
    async read(format, filter) {
      const { alerts, documents } = current ?? begin();
      const query = queryOf(filter);
      const path = `/feeds/alerts.${format.extension}${query}`;
      const selected = await alerts;
      const known = documents.get(path);
      if (known !== undefined) return known;
      const written = write(format, {
        title: titleOf(filter),
        homeUrl: `${publicUrl}/`,
        url: publicUrl + path,
        startedAt,
        alerts: selected.filter(({ alert }) => isSelected(alert, filter)).slice(0, MAX_ENTRIES),
      });
      documents.set(path, written);
      return written;
    },
  };
}

interface Content {
  readonly title: string;
  readonly homeUrl: string;
  readonly url: string;
  readonly startedAt: number;
  readonly alerts: readonly PublishedAlert[];
}

function write(format: FeedFormat, { title, homeUrl, url, startedAt, alerts }: Content): WrittenDocument {
  const entries = alerts.map(({ alert }) => feedEntry(alert));
  const updated = new Date(alerts.length === 0 ? startedAt : Math.max(...alerts.map(({ at }) => at)));
  const body = Buffer.from(format.write({ title, homeUrl, url, updated, entries }));
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const lastModified = new Date(Math.floor(updated.getTime() / 1_000) * 1_000);
  return { body, mediaType: format.mediaType, etag, lastModified };
}

function isSelected({ shown }: StoredAlert, { tickers, exchanges }: FeedFilter): boolean {
  const selectors = shown.tickers.flatMap((ticker) =>
    selectorsOf(
      canonicalTicker(ticker as Ticker),
      shown.exchanges.map((exchange) => exchange as Exchange),
    ),
  );
  return hasOneOf(tickers, selectors) && hasOneOf(exchanges, shown.exchanges);
}

function hasOneOf(wanted: readonly string[], present: readonly string[]): boolean {
  return wanted.length === 0 || present.some((one) => wanted.includes(one));
}

/** Equal filters have the same query, so that they share a document. */
function queryOf({ tickers, exchanges }: FeedFilter): string {
  const parts = [
    ...(tickers.length === 0 ? [] : [`ticker=${[...new Set(tickers)].toSorted().map(encodeURIComponent).join(",")}`]),
    ...(exchanges.length === 0 ? [] : [`exchange=${[...new Set(exchanges)].toSorted().join(",")}`]),
  ];
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

function titleOf({ tickers, exchanges }: FeedFilter): string {
  const names = [...tickers, ...exchanges];
  return names.length === 0 ? "Reverse splits" : `Reverse splits: ${names.join(", ")}`;
}
