import type { Observation } from "../../catalog/observation.ts";
import type { CheckResult } from "../../lib/check-result.ts";
import type { SourceStatus } from "../../ports/source-status.ts";
import type { OpenSource, SourceCheckContext, SourceParts } from "../source-definition.ts";
import { checkResultOf, describeCondition, initialStatus, nextStatus } from "../source-status.ts";
import { userAgent } from "../web/user-agent.ts";
import { createWeb, type Web } from "../web/web.ts";
import { followStatements, readStatements, type StatementReader } from "./follow-statements.ts";
import type { OfficialSource, OfficialSourceSettings, StatementReaderTools } from "./official-source.ts";

/** Timeout of the check of one source. */
const CHECK_TIMEOUT_MS = 25_000;

const USER_AGENT = "splitwatch/{version} (+{contact})";

/** Follows the source with a separate web client that uses the shared host queue. */
export async function openOfficialSource<Origin extends string>(
  source: OfficialSource<Origin>,
  settings: OfficialSourceSettings<Origin>,
  parts: SourceParts,
): Promise<OpenSource> {
  const recordedObservations = (): Iterable<Observation> =>
    Iterator.from(parts.observations.all()).filter((observation) => observation.source === source.name);
  const lastReadAt = parts.sourceReads.get(source.name)?.lastReadAt ?? null;
  const { reader, web } = await connect(source, settings, { client: parts, recordedObservations, lastReadAt });
  const followedSource = followStatements(reader, parts);
  const stop = async (): Promise<void> => {
    await followedSource.stop();
    await web.close();
  };
  const statuses = (): readonly SourceStatus[] =>
    followedSource.statuses().map((status) => ({ ...status, requests: web.requestCount }));
  return { ...followedSource, statuses, stop };
}

/** Reads each part of the source once. */
export async function checkOfficialSource<Origin extends string>(
  source: OfficialSource<Origin>,
  settings: OfficialSourceSettings<Origin>,
  context: SourceCheckContext,
): Promise<readonly CheckResult[]> {
  const { clock } = context;
  const { reader, web } = await connect(source, settings, {
    client: context,
    recordedObservations: () => [],
    lastReadAt: null,
  });
  try {
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    const parts = (await reader.probe?.(signal)) ?? [{ name: "", result: await readStatements(reader, signal) }];
    return parts.map(({ name, result }) => {
      const status = nextStatus(initialStatus(source.name, clock.now()), result, clock.now());
      const text = `${source.label}${name === "" ? "" : `, ${name}`}: ${describeCondition(status)}`;
      return checkResultOf(status, text);
    });
  } finally {
    await web.close();
  }
}

async function connect<Origin extends string>(
  source: OfficialSource<Origin>,
  { everyMs, origins }: OfficialSourceSettings<Origin>,
  {
    client,
    recordedObservations,
    lastReadAt,
  }: { readonly client: SourceCheckContext | SourceParts } & Pick<
    StatementReaderTools,
    "recordedObservations" | "lastReadAt"
  >,
): Promise<{ readonly reader: StatementReader; readonly web: Web }> {
  const { clock, queue, reader: documentReader, onAnswer } = client;
  const agent = userAgent(USER_AGENT, client);
  const configured = Object.values<string>(origins);
  const web = createWeb({ clock, queue, reader: documentReader, userAgentFor: () => agent, configured, onAnswer });
  // `everyMs` is null only for a disabled source, which is neither opened nor checked.
  const tools = {
    web,
    reader: documentReader,
    clock,
    recordedObservations,
    lastReadAt,
    everyMs: everyMs ?? Number.POSITIVE_INFINITY,
  };
  return { reader: await source.createReader(origins, tools), web };
}
