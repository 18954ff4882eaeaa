import type { SourceAnswer, SourceRequest } from "./source-server.ts";

/** A memo as the Options Clearing Corporation lists it. */
export interface PublishedMemo {
  readonly number: number;
  /** `MM/DD/YYYY`, like the effective date. */
  readonly posted?: string;
  readonly effective?: string;
  readonly title: string;
}

export const OCC_HEADINGS = "Number,Post Date,Effective Date,Title,Category";

/** Behaves like the list of memos, which is answered conditionally. */
export class FakeMemos {
  memos: readonly PublishedMemo[] = [];
  headings = OCC_HEADINGS;

  answer({ path, headers }: SourceRequest): SourceAnswer {
    if (path !== "/infomemo/exportmemo") return { status: 404 };
    const rows = this.memos.map(({ number, posted = "03/02/2026", effective = "03/06/2026", title }) =>
      [number, posted, effective, `"${title.replaceAll('"', '""')}"`, "Contract Adjustments"].join(","),
    );
    const body = [this.headings, ...rows].join("\r\n");
    const etag = `"${body.length}"`;
    return headers["if-none-match"] === etag ? { status: 304 } : { type: "text/csv", body, headers: { etag } };
  }
}
