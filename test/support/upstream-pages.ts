/** Behavior of services where the specification is silent. */
export interface Quirks {
  /** Send an ETag and answer a known one with 304. */
  readonly etag: boolean;
  /** The answer for a ticker that is not listed. */
  readonly unknownTicker: "empty" | 404;
  /** Maximum rows per page, regardless of `size`. */
  readonly clamp: number;
  /** The value of `page_size` while it is clamped. */
  readonly pageSize: "requested" | "clamped" | "absent";
  readonly firstPage: 0 | 1;
  /** The answer for a page that does not exist, including the one before the first. */
  readonly noSuchPage: "empty" | "nearest" | 400 | 404;
  /** The values of `total_results` and `total_pages`. */
  readonly totals: "right" | "absent" | "text" | "zero" | "too-many" | "of-this-page";
  readonly from: "inclusive" | "exclusive" | "ignored";
  readonly order: "newest-first" | "oldest-first" | "as-listed";
  /** Always answers with the first page. */
  readonly ignoresPage: boolean;
}

/** Behavior of the embedded service. */
export const DOCUMENTED: Quirks = {
  etag: true,
  unknownTicker: "empty",
  clamp: 40,
  pageSize: "requested",
  firstPage: 0,
  noSuchPage: "empty",
  totals: "right",
  from: "inclusive",
  order: "newest-first",
  ignoresPage: false,
};

type Row = Readonly<Record<string, unknown>>;

/** The body of one page, or the status of the error. */
export function pageOf(rows: readonly unknown[], query: URLSearchParams, quirks: Quirks): Row | number {
  const found = inOrder(rows.map(asRow).filter(matches(query, quirks)), quirks.order);
  const requested = Number(query.get("size") ?? 20);
  const size = Math.min(requested, quirks.clamp);
  const pages = Math.ceil(found.length / size);
  const index = quirks.ignoresPage ? 0 : pageIndexOf(Number(query.get("page") ?? 0) - quirks.firstPage, pages, quirks);
  if (index === null) return quirks.noSuchPage === 404 ? 404 : 400;
  const articles = found.slice(index * size, (index + 1) * size);
  return {
    articles,
    ...totalsOf(quirks.totals, { found: found.length, pages, shown: articles.length }),
    page_number: Number(query.get("page") ?? 0),
    ...(quirks.pageSize === "absent" ? {} : { page_size: quirks.pageSize === "requested" ? requested : size }),
  };
}

/** The page served for a requested page, counted from 0; null: an error. */
function pageIndexOf(index: number, pages: number, { noSuchPage }: Quirks): number | null {
  if (index >= 0 && (index < pages || index === 0)) return index;
  if (noSuchPage === "nearest") return index < 0 ? 0 : Math.max(0, pages - 1);
  return noSuchPage === "empty" ? pages : null;
}

function totalsOf(totals: Quirks["totals"], count: { found: number; pages: number; shown: number }): Row {
  switch (totals) {
    case "right":
      return { total_results: count.found, total_pages: count.pages };
    case "absent":
      return {};
    case "text":
      return { total_results: `${count.found} results`, total_pages: String(count.pages) };
    case "zero":
      return { total_results: 0, total_pages: 0 };
    case "too-many":
      return { total_results: count.found + 1000, total_pages: count.pages + 25 };
    case "of-this-page":
      return { total_results: count.shown, total_pages: 1 };
  }
}

function matches(query: URLSearchParams, { from: fromQuirk }: Quirks): (row: Row) => boolean {
  const from = fromQuirk === "ignored" ? "" : (query.get("from") ?? "");
  const to = query.get("to") ?? "9999-12-31";
  const sources = query.get("sources")?.toLowerCase().split(",");
  return (row) => {
    const day = dayOf(row);
    const late = fromQuirk === "exclusive" ? day > from : day >= from;
    return late && day <= to && (!sources || sources.includes(String(row.source)));
  };
}

function inOrder(rows: readonly Row[], order: Quirks["order"]): readonly Row[] {
  if (order === "as-listed") return rows;
  const turn = order === "newest-first" ? -1 : 1;
  return rows.toSorted((a, b) => turn * compare(dayOf(a), dayOf(b)) || compare(String(a.url), String(b.url)));
}

function dayOf(row: Row): string {
  return String(row.date_published).slice(0, 10);
}

function asRow(row: unknown): Row {
  return typeof row === "object" && row !== null ? (row as Row) : { odd: row };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
