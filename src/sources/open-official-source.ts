import type { Observation } from "../catalog/observation.ts";
import { type CheckResult, pass, warn } from "../lib/check-result.ts";
import { followNotices, type NoticeReader, readNotices } from "./follow-statements.ts";
import type { NoticeSource, NoticeSourceSettings, NoticeSourceTools } from "./official-source.ts";
import type { RecordCache } from "./record-cache.ts";
import type { OpenSource, SourceCheckContext, SourceParts } from "./source-definition.ts";
import { describeCondition, initialStatus, nextStatus, type SourceStatus } from "./source-status.ts";
import { userAgent } from "./web/user-agent.ts";
import { createWeb, type Web } from "./web/web.ts";

/** Longest wait of `splitwatch doctor` for one source. */
const CHECK_TIMEOUT_MS = 25_000;

const USER_AGENT = "splitwatch/{version} (+{contact})";

/** Follows the source with its own web client, on the shared queue per host. */
export async function openNotices<Origin extends string>(
  source: NoticeSource<Origin>,
  settings: NoticeSourceSettings<Origin>,
  parts: SourceParts,
): Promise<OpenSource> {
  const known = (): Iterable<Observation> => ofSource(source.name, parts.observations);
  const { reader, web } = await connect(source, settings, { client: parts, known });
  const followed = followNotices(reader, parts);
  const stop = async (): Promise<void> => {
    await followed.stop();
    await web.close();
  };
  const statuses = (): readonly SourceStatus[] =>
    followed.statuses().map((status) => ({ ...status, requests: web.requestCount }));
  return { ...followed, statuses, stop };
}

/** Reads the source once. */
export async function checkNotices<Origin extends string>(
  source: NoticeSource<Origin>,
  settings: NoticeSourceSettings<Origin>,
  context: SourceCheckContext,
): Promise<readonly CheckResult[]> {
  const { clock } = context;
  const { reader, web } = await connect(source, settings, { client: context, known: () => [] });
  try {
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    const parts = (await reader.probe?.(signal)) ?? [{ name: "", reading: await readNotices(reader, signal) }];
    return parts.map(({ name, reading }) => {
      const status = nextStatus(initialStatus(source.name, clock.now()), reading, clock.now());
      const text = `${source.label}${name === "" ? "" : `, ${name}`}: ${describeCondition(status)}`;
      return status.condition === "ok" ? pass(text) : warn(text);
    });
  } finally {
    await web.close();
  }
}

async function connect<Origin extends string>(
  source: NoticeSource<Origin>,
  { everyMs, origins }: NoticeSourceSettings<Origin>,
  { client, known }: { readonly client: SourceCheckContext | SourceParts } & Pick<NoticeSourceTools, "known">,
): Promise<{ readonly reader: NoticeReader; readonly web: Web }> {
  const { clock, queue } = client;
  const agent = userAgent(USER_AGENT, client);
  const web = createWeb({ clock, queue, userAgentFor: () => agent, configured: Object.values<string>(origins) });
  // A disabled source is neither opened nor checked.
  const tools = { web, clock, known, everyMs: everyMs ?? Number.POSITIVE_INFINITY };
  return { reader: await source.createReader(origins, tools), web };
}

function* ofSource(name: string, observations: RecordCache<Observation>): Generator<Observation> {
  for (const observation of observations.all()) if (observation.source === name) yield observation;
}
