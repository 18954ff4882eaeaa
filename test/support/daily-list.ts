import type { SourceAnswer, SourceRequest } from "./source-server.ts";

/** A row of FINRA's daily list, of the shape that the tests change. */
export type DailyListRow = Readonly<Record<string, unknown>>;

/** Body of a query. */
export interface DailyListQuery {
  readonly limit: number;
  readonly offset: number;
  readonly dateRangeFilters: readonly { readonly startDate: string; readonly endDate: string }[];
}

/** Behaves like FINRA's daily list: pages of the rows of some days, 204 if there are none, CSV unless JSON is accepted. */
export class FakeDailyList {
  rows: readonly DailyListRow[];

  constructor(rows: readonly DailyListRow[] = []) {
    this.rows = rows;
  }

  publish(row: DailyListRow): void {
    this.rows = [row, ...this.rows];
  }

  answer({ method, path, headers, body }: SourceRequest): SourceAnswer {
    if (method !== "POST" || path !== "/data/group/otcMarket/name/otcDailyList") return { status: 404 };
    if (headers.accept !== "application/json") return { type: "text/csv", body: "OTCDailyListID\n" };
    const { limit, offset, dateRangeFilters } = JSON.parse(body) as DailyListQuery;
    const shown = this.rows.filter(({ calendarDay }) =>
      dateRangeFilters.every(
        ({ startDate, endDate }) => startDate <= String(calendarDay) && String(calendarDay) <= endDate,
      ),
    );
    const page = shown.slice(offset, offset + limit);
    return page.length === 0 ? { status: 204 } : { body: JSON.stringify(page) };
  }
}
