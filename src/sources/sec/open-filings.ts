import { SEC } from "../../catalog/release.ts";
import { dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { type CheckResult, fail, pass } from "../../lib/check-result.ts";
import type { OfficialSourceSettings } from "../official/official-source.ts";
import { SEC_AGENT, secQueue } from "../sec-hosts.ts";
import type { OpenSource, SourceCheckContext, SourceParts } from "../source-definition.ts";
import { describeFailure, isUnreachable } from "../source-status.ts";
import { toFetchError } from "../web/fetch-error.ts";
import { userAgent } from "../web/user-agent.ts";
import { createWeb, type Web } from "../web/web.ts";
import { createEdgar, type Edgar, type EdgarOrigins } from "./edgar.ts";
import { followFilings } from "./follow-filings.ts";

export type SecSettings = OfficialSourceSettings<keyof EdgarOrigins>;

/** Some answers of EDGAR take up to 10 seconds. */
const LIMITS = { headersTimeoutMs: 25_000, totalTimeoutMs: 40_000 };

const CHECK_TIMEOUT_MS = 45_000;

export async function openFilings({ everyMs, origins }: SecSettings, parts: SourceParts): Promise<OpenSource> {
  const { edgar, web } = connect(origins, parts);
  // `everyMs` is null only for a disabled source, which is not opened.
  const intervalMs = everyMs ?? Number.POSITIVE_INFINITY;
  const followedSource = followFilings({ ...parts, edgar, origin: origins.url, everyMs: intervalMs });
  return {
    statuses: () => followedSource.statuses().map((status) => ({ ...status, requests: web.requestCount })),
    hasUntriedPages: () => followedSource.hasUntriedPages(),
    onChange: (listener) => followedSource.onChange(listener),
    async stop() {
      await followedSource.stop();
      await web.close();
    },
  };
}

/** Reads the latest filings and the index of the first one, and searches today's filings. */
export async function checkFilings(
  label: string,
  { origins }: SecSettings,
  context: SourceCheckContext,
): Promise<readonly CheckResult[]> {
  const { edgar, web } = connect(origins, context);
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const today = dayInZone(context.clock.now(), MARKET_ZONE);
  try {
    return [
      await checkPart(`${label}, latest filings`, async () => {
        const { filings } = await edgar.latest("8-K", null, signal);
        const [first] = filings;
        if (first) await edgar.index(first, signal);
        return filings.length;
      }),
      await checkPart(`${label}, full-text search`, async () => {
        const { filings, failure } = await edgar.search(today, today, signal);
        if (failure) throw failure;
        return filings.length;
      }),
    ];
  } finally {
    await web.close();
  }
}

const READ = { name: SEC, isRead: true, isUnreachable: false };

async function checkPart(name: string, read: () => Promise<number>): Promise<CheckResult> {
  try {
    const count = await read();
    return { ...pass(`${name}: OK, ${count} ${count === 1 ? "filing" : "filings"}`), source: READ };
  } catch (error) {
    const failure = toFetchError(error);
    const source = { ...READ, isRead: false, isUnreachable: isUnreachable(failure) };
    return { ...fail(`${name}: ${describeFailure(failure)}`), source };
  }
}

function connect(
  origins: EdgarOrigins,
  { clock, queue, reader, onAnswer, ...identity }: SourceCheckContext | SourceParts,
): { readonly edgar: Edgar; readonly web: Web } {
  const agent = userAgent(SEC_AGENT, identity);
  const configured = Object.values(origins);
  const web = createWeb({
    clock,
    queue: secQueue(queue),
    reader,
    userAgentFor: () => agent,
    configured,
    onAnswer,
    limits: LIMITS,
  });
  return { edgar: createEdgar(origins, { web, reader }), web };
}
