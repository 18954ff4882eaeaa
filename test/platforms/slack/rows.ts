import { anArticleRow, aSplitRow } from "../../support/upstream.ts";

/** Start time of most tests: a Monday morning in New York. */
export const MONDAY = "2026-03-02T15:00:00Z";

export const ACME = aSplitRow();
export const ACME_LATER = aSplitRow({ ratio: "1:25", ex_date: "2026-03-12" });
export const BRAVO = aSplitRow({ ticker: "BRVO", exchange: "NYSE", company: "Bravo & Sons <Holding>", ratio: "1:8" });
export const SOON = aSplitRow({ ticker: "SOON", company: "Soon Corp.", ratio: "1:12", ex_date: "2026-03-04" });

/** Enough to fill two pages of a list. */
export const MANY = Array.from({ length: 12 }, (_, index) =>
  aSplitRow({
    ticker: `M${String(index + 1).padStart(2, "0")}`,
    company: `Many ${index + 1} Inc.`,
    ex_date: "2026-03-20",
    ratio: `1:${index + 2}`,
  }),
);

export const ACME_RELEASE = anArticleRow({
  content:
    "Acme Robotics Inc. (NASDAQ: ACME) today announced a 1-for-20 reverse stock split, effective March 10, 2026. " +
    "No fractional shares will be issued; each fractional share will be rounded up to the next whole share.",
});
