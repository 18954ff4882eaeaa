/** Rule of a channel of its own for each number; matches every split unless `filter` says otherwise. */
export function aRule(n, filter = {}) {
  const destination = { platform: "web", kind: "channel", id: `c${n}` };
  const createdBy = { platform: "web", kind: "person", id: "alice" };
  return { ...EVERY_SPLIT, ...filter, destination, createdBy, createdAt: 0, mention: null };
}

const EVERY_SPLIT = {
  exchanges: [],
  tickers: [],
  excludeExchanges: [],
  excludeTickers: [],
  events: ["announced", "changed", "postponed", "cancelled", "missing", "returned", "effective"],
  sources: [],
  fractional: [],
  minRatio: null,
};
