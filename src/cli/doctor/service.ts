import { join } from "node:path";
import type { Config } from "../../config/index.ts";
import { createSplitsClient } from "../../data-service/client/client.ts";
import { followFile } from "../../data-service/server/followed-file.ts";
import { readArticleRow, readSplitRow } from "../../data-service/server/rows.ts";
import { ARTICLES_FILE, SPLITS_FILE } from "../../data-service/server/source-files.ts";
import { createHttpClient, type HttpAnswer, HttpError } from "../../http/client.ts";
import { connectableAddress, hostAndPort } from "../../http/host-address.ts";
import { type CheckResult, fail, pass } from "../../lib/check-result.ts";
import { systemClock } from "../../lib/clock.ts";
import { SourceError, type SourceFailure, type SplitList } from "../../ports/split-source.ts";
import { SAMPLE_DESCRIPTION } from "../startup-message.ts";
import { NO_LOG } from "./no-log.ts";
import { checkWires } from "./wires.ts";

const ANSWER_WITHIN_MS = 15_000;
const READY_WITHIN_MS = 5_000;
const LONGEST_QUOTE = 300;

/** Whether splits can be had, and whether a process that runs here is well. */
export async function checkDataService(config: Config): Promise<readonly CheckResult[]> {
  const { splitsApi } = config;
  const source = splitsApi ? [await checkRemote(splitsApi)] : await checkSource(config);
  return config.port === 0 ? source : [...source, await checkRunning(config)];
}

const ADVICE: Readonly<Record<SourceFailure, string>> = {
  unreachable: "see whether it runs, and whether SPLITS_API_URL is right",
  timeout: "see whether it is well, and whether the way to it is open",
  "not-allowed": "see whether SPLITS_API_KEY is the key that it gave out",
  "rate-limited": "wait a while, or ask for a higher limit",
  "server-error": "tell the one who runs it",
  "not-ready": "it is still filling: try again in a minute",
  "not-found": "see whether SPLITS_API_URL is right",
  "bad-answer": "see whether SPLITS_API_URL leads to a Reverse Stock Split Data Service",
  aborted: "see whether it is well, and whether the way to it is open",
};

async function checkRemote({ url, key }: NonNullable<Config["splitsApi"]>): Promise<CheckResult> {
  const client = createSplitsClient({
    baseUrl: url,
    apiKey: key,
    id: url,
    sample: false,
    clock: systemClock,
    log: NO_LOG,
    limits: { retries: 0 },
  });
  try {
    return whatItLists(url, await client.listSplits(AbortSignal.timeout(ANSWER_WITHIN_MS)));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return fail(`data service: ${url}: ${error.message}; ${ADVICE[error.failure]}`);
  } finally {
    await client.close();
  }
}

function whatItLists(url: string, { records, quarantined }: SplitList): CheckResult {
  const odd =
    quarantined.length === 0 ? "" : `, and ${quarantined.length} that cannot be used (${quarantined[0]?.reason})`;
  return pass(`data service: ${url} lists ${records.length} splits${odd}`);
}

async function checkSource(config: Config): Promise<readonly CheckResult[]> {
  const { source } = config.service;
  switch (source.kind) {
    case "folder":
      return [await checkFolder(source.path)];
    case "sample":
      return [pass(`data service: embedded, with ${SAMPLE_DESCRIPTION}`)];
    case "wires":
    case "auto":
      return checkWires(config);
  }
}

async function checkFolder(path: string): Promise<CheckResult> {
  try {
    const [splits, articles] = await Promise.all([
      followFile(join(path, SPLITS_FILE), readSplitRow, systemClock),
      followFile(join(path, ARTICLES_FILE), readArticleRow, systemClock),
    ]);
    const [first] = [...splits.problems(), ...articles.problems()];
    const odd = first === undefined ? "" : `; some lines cannot be used (${first})`;
    const holds = `${splits.rows.length} splits and ${articles.rows.length} articles`;
    return pass(`data service: embedded, with ${holds} in ${path}${odd}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(`data service: ${path} cannot be read (${reason}); see service.source`);
  }
}

/** Asks the process that listens where this configuration would, if there is one. */
async function checkRunning({ host, port }: Config): Promise<CheckResult> {
  const address = connectableAddress(`http://${hostAndPort(host, port)}`);
  const http = createHttpClient("splitwatch-doctor", { totalTimeoutMs: READY_WITHIN_MS });
  try {
    const signal = AbortSignal.timeout(READY_WITHIN_MS);
    return whatItSays(address, await http.request(new URL("/readyz", address), { signal, redirect: "same-origin" }));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.failure === "unreachable") return pass(`running: nothing listens at ${address} now`);
    return fail(`running: ${address} does not answer as splitwatch does (${error.message}); see what runs there`);
  } finally {
    await http.close();
  }
}

function whatItSays(address: string, { status, body }: HttpAnswer): CheckResult {
  const text = body.toString("utf8").trim();
  if (!text.startsWith("{")) {
    return fail(`running: another program answers at ${address}; end it, or set PORT to a free port`);
  }
  if (status === 200) return pass(`running: splitwatch at ${address} is ready`);
  return fail(`running: splitwatch at ${address} is not ready: ${text.slice(0, LONGEST_QUOTE)}`);
}
