import type { SourceAnswer, SourceRequest } from "./source-server.ts";

/** Behaves like NYSE's corporate actions: pages of rows with the address of the next page. */
export class FakeCorporateActions {
  rows: readonly unknown[];

  constructor(rows: readonly unknown[] = []) {
    this.rows = rows;
  }

  /** Adds a row, or replaces the one of the same market event. */
  publish(row: { readonly market_event: string }): void {
    const isOther = (other: unknown): boolean => (other as typeof row).market_event !== row.market_event;
    this.rows = [...this.rows.filter(isOther), row];
  }

  answer({ path }: SourceRequest): SourceAnswer {
    const { pathname, searchParams } = new URL(path, "http://nyse.example");
    if (pathname !== "/api/nyseservice/v1/corpax/") return { status: 404 };
    const [page, size] = [Number(searchParams.get("page")), Number(searchParams.get("page_size"))];
    const [from, to] = [searchParams.get("action_date__gte") ?? "", searchParams.get("action_date__lte") ?? ""];
    const shown = this.rows.filter((row) => isWithin((row as { action_date?: string | null }).action_date, from, to));
    const end = page * size;
    const next = end < shown.length ? `https://www.nyse.com${path.replace(/page=\d+/, `page=${page + 1}`)}` : null;
    const results = shown.slice(end - size, end);
    return { body: JSON.stringify({ count: shown.length, next, previous: null, results }) };
  }
}

/** Whether the filter applies to the date: rows without a valid one are always shown. */
function isWithin(date: string | null | undefined, from: string, to: string): boolean {
  if (!date || !/^\d/.test(date)) return true;
  const day = date.replace(/^(\d\d)\/(\d\d)\/(\d{4})/, "$3-$1-$2").replace(/^(\d{4})(\d\d)(\d\d)/, "$1-$2-$3");
  return from <= day && day.slice(0, to.length) <= to;
}
