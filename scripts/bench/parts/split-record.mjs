const DAY_MS = 86_400_000;

/** Record of a split 1:20 of ticker T`n`; the dates of different numbers differ. */
export function aSplitRecord(n) {
  return {
    ticker: `T${n}`,
    exchange: "NASDAQ",
    company: `Company ${n} Holdings Inc.`,
    ratioText: "1:20",
    ratio: { newShares: 1, oldShares: 20 },
    exDate: dayFromNow(n % 40),
    dateAnnounced: dayFromNow(-5),
  };
}

/** Events of `count` new splits, from number `first`. */
export function announcements(first, count) {
  return Array.from({ length: count }, (_, n) => anAnnouncement(first + n));
}

export function anAnnouncement(n) {
  const evidence = { fraction: null, release: null, disagreements: [] };
  const base = { id: `s${n}.1`, at: 0, sample: false, splitId: `s${n}`, record: aSplitRecord(n), ...evidence };
  return { kind: "announced", ...base, alreadyEffective: false };
}

export function dayFromNow(days) {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
