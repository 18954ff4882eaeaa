import { createHash } from "node:crypto";
import { z } from "zod";
import { escapeMarkup } from "../../lib/markup.ts";
import { type AlertPayload, alertPayloadSchema } from "../alert-payload.ts";

/** Body of a posting. */
export interface FeedBody {
  readonly alerts: readonly AlertPayload[];
}

const { shape } = alertPayloadSchema;

/** The parts of an alert that an entry shows. Most are empty if the stored alert lacks them. */
const shownSchema = z.object({
  id: shape.id,
  kind: shape.kind,
  at: shape.at,
  title: shape.title,
  labels: shape.labels.catch([]),
  lines: shape.lines.catch([]),
  facts: shape.facts.catch([]),
  warnings: shape.warnings.catch([]),
  tickers: shape.tickers.catch([]),
  exchanges: shape.exchanges.catch([]),
  splits: shape.splits.catch([]),
  fractional: shape.fractional.catch(null),
  previous_fractional: shape.previous_fractional.catch(null),
  release: shape.release.catch(null),
});

/** An alert as stored. */
export interface StoredAlert {
  readonly shown: Readonly<z.infer<typeof shownSchema>>;
  /** Null if a version with another schema stored it. */
  readonly payload: AlertPayload | null;
}

/** The alerts of a posting's body, which another version can have stored; null for one without an id, kind, time or title. */
export function alertsOf(body: unknown): readonly (StoredAlert | null)[] {
  const { alerts } = typeof body === "object" && body !== null && "alerts" in body ? body : { alerts: null };
  return Array.isArray(alerts) ? alerts.map(storedAlert) : [];
}

function storedAlert(value: unknown): StoredAlert | null {
  const { data: payload = null } = alertPayloadSchema.safeParse(value);
  if (payload !== null) return { shown: payload, payload };
  const { data: shown = null } = shownSchema.safeParse(value);
  return shown && { shown, payload };
}

/** One alert in a feed. */
export interface FeedEntry {
  /** Null if a version with another schema stored it. */
  readonly payload: AlertPayload | null;
  /** Permanent and unique, derived from the id of the alert: the same alert has the same id in each format. */
  readonly id: string;
  readonly title: string;
  readonly html: string;
  /** The release or the notice that the alert is based on. */
  readonly link: string | null;
  readonly at: Date;
  readonly tags: readonly string[];
}

export function feedEntry({ shown: alert, payload }: StoredAlert): FeedEntry {
  const labels = alert.labels.map((label) => `[${label}] `).join("");
  const link = alert.release?.url ?? alert.facts.find(({ url }) => url !== null)?.url ?? null;
  return {
    payload,
    id: `urn:uuid:${uuidOf(alert.id)}`,
    title: labels + alert.title,
    html: htmlOf(alert),
    link,
    at: new Date(alert.at),
    tags: [alert.kind, ...alert.tickers, ...alert.exchanges],
  };
}

const NAMESPACE = Buffer.from("6f1f4d5c2f8b4c7f9d3c5a0e7b9d1a42", "hex");

/** UUID of a name (RFC 9562, version 5). */
function uuidOf(name: string): string {
  const hash = createHash("sha1").update(NAMESPACE).update(name).digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The texts of the alert as HTML: paragraphs, a list of facts and quotes. Everything is escaped, and links are http or https. */
function htmlOf(shown: StoredAlert["shown"]): string {
  const { lines, facts, warnings, fractional, previous_fractional: previous, splits } = shown;
  const items = facts.map(({ label, value, was, url }) => {
    const text = was === null ? escapeMarkup(value) : `${escapeMarkup(was)} → ${escapeMarkup(value)}`;
    return `<li><b>${escapeMarkup(label)}:</b> ${url === null ? text : linked(text, url)}</li>`;
  });
  return [
    ...lines.map((line) => `<p>${escapeMarkup(line)}</p>`),
    ...(items.length === 0 ? [] : [`<ul>${items.join("")}</ul>`]),
    ...(previous === null ? [] : ["<p>Before:</p>", ...quoteOf(previous), "<p>Now:</p>"]),
    ...quoteOf(fractional),
    ...(splits.length > 1 ? [`<ul>${splits.map(splitItem).join("")}</ul>`] : []),
    ...warnings.map((warning) => `<p><b>Check:</b> ${escapeMarkup(warning)}</p>`),
  ].join("\n");
}

function quoteOf(fractional: AlertPayload["fractional"]): readonly string[] {
  if (fractional === null) return [];
  const source = escapeMarkup(fractional.source);
  const linkedSource = fractional.url === null ? source : linked(source, fractional.url);
  return [`<blockquote>${escapeMarkup(fractional.sentence)}</blockquote>`, `<p>${linkedSource}</p>`];
}

function splitItem({
  ticker,
  ratio_name: ratio,
  ratio_as_received: received,
  ex_date: exDate,
}: AlertPayload["splits"][number]): string {
  return `<li>${escapeMarkup(`${ticker} ${ratio ?? received}, ex date ${exDate}`)}</li>`;
}

/** `html`: escaped. */
function linked(html: string, url: string): string {
  return `<a href="${escapeMarkup(url)}">${html}</a>`;
}
