import { type Instant, MINUTE_MS } from "../core/day.ts";
import type { ChatPlatform } from "../ports/chat-platform.ts";
import type { PollReport, Store } from "../ports/store.ts";

/** Data older than this is stale: many polls must have failed or been doubted by then. */
export const STALE_AFTER_MS = 30 * MINUTE_MS;

export interface Check {
  readonly ok: boolean;
  /** In a few words; says why when it is not ok. */
  readonly detail: string;
}

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, Check>>;
}

/** Can we do our work now: is there data to compare, a store to write to, and a way to everybody? */
export async function readReadiness(
  store: Store,
  platforms: readonly ChatPlatform[],
  now: Instant,
): Promise<Readiness> {
  const problem = store.health();
  const polls = await store.polls.read();
  const checks: Record<string, Check> = {
    store: problem === null ? { ok: true, detail: "usable" } : { ok: false, detail: problem },
    splits: checkPoll(polls.splits, now),
    articles: checkPoll(polls.articles, now),
  };
  for (const platform of platforms) {
    const health = platform.health();
    checks[platform.name] = health.ok ? { ok: true, detail: "connected" } : { ok: false, detail: health.reason };
  }
  return { ready: Object.values(checks).every(({ ok }) => ok), checks };
}

function checkPoll(report: PollReport | null, now: Instant): Check {
  if (report === null) return { ok: false, detail: "not read yet" };
  const age = report.lastCompleteAt === null ? null : now - report.lastCompleteAt;
  const stale = age === null || age > STALE_AFTER_MS;
  const seen = age === null ? "never read completely" : `last complete ${Math.floor(age / 1_000)} s ago`;
  const detail = `${report.outcome}: ${report.detail}; ${seen}`;
  // An incomplete reading of articles is good as far as it goes, and goes on at the next poll.
  const usable = report.outcome === "complete" || (report.outcome === "incomplete" && !stale);
  return { ok: usable && !stale, detail };
}
