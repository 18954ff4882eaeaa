import { z } from "zod";
import type { Config } from "../config/index.ts";
import { createHttpClient, type HttpAnswer, type HttpClient, HttpError } from "../http/client.ts";
import { assertPortFree, connectableAddress, hostAndPort, ListenError } from "../http/server.ts";
import { type CheckResult, fail, pass, warn } from "../lib/check-result.ts";
import { parseJson } from "../lib/json.ts";
import type { Clock } from "../ports/clock.ts";

/** Time for one answer, and for a process that has just started until its first polls and connections. */
const READY_TIMEOUT_MS = 5_000;
const READY_INTERVAL_MS = 250;
const MAX_QUOTE_LENGTH = 300;

/** Checks that the server can listen at the configured address, or that splitwatch, which listens there, is ready. */
export async function checkRunning({ host, port }: Config, clock: Clock): Promise<CheckResult> {
  const address = connectableAddress(`http://${hostAndPort(host, port)}`);
  try {
    await assertPortFree({ host, port });
    return pass(`running: nothing listens at ${address}`);
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    return error.isInUse ? checkReadiness(address, clock) : fail(error.message);
  }
}

async function checkReadiness(address: string, clock: Clock): Promise<CheckResult> {
  const http = createHttpClient("splitwatch-doctor", { totalTimeoutMs: READY_TIMEOUT_MS }, { isDirect: true });
  const until = clock.monotonic() + READY_TIMEOUT_MS;
  try {
    for (;;) {
      const answer = await requestReadiness(http, address);
      if (answer.status !== NOT_READY || clock.monotonic() >= until) return describeReadiness(address, answer);
      await clock.sleep(READY_INTERVAL_MS);
    }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return fail(
      `running: ${address} doesn't answer like splitwatch (${error.message}); check which program uses this port`,
    );
  } finally {
    await http.close();
  }
}

const NOT_READY = 503;

function requestReadiness(http: HttpClient, address: string): Promise<HttpAnswer> {
  const signal = AbortSignal.timeout(READY_TIMEOUT_MS);
  return http.request(new URL("/readyz", address), { signal, redirect: "same-origin" });
}

function describeReadiness(address: string, { status, body }: HttpAnswer): CheckResult {
  const text = body.toString("utf8").trim();
  if (!text.startsWith("{")) {
    return fail(`running: another program answers at ${address}; stop it or set PORT to a free port`);
  }
  if (status === 200) {
    const problems = problemsIn(text).slice(0, MAX_QUOTE_LENGTH);
    const ready = `running: splitwatch at ${address} is ready`;
    return problems === "" ? pass(ready) : warn(`${ready}, but not completely: ${problems}`);
  }
  return fail(`running: splitwatch at ${address} is not ready: ${failedChecks(text).slice(0, MAX_QUOTE_LENGTH)}`);
}

const checkSchema = z.object({ ok: z.boolean(), detail: z.string(), problem: z.string().optional() });
const answerWithChecks = z.object({ checks: z.record(z.string(), checkSchema) });

/** Problems of the checks that pass; empty if there are none. */
function problemsIn(text: string): string {
  const { data } = answerWithChecks.safeParse(parseJson(text));
  return Object.entries(data?.checks ?? {})
    .flatMap(([name, { problem }]) => (problem === undefined ? [] : [`${name}: ${problem}`]))
    .join("; ");
}

/** The failed checks with their reasons; the whole answer if it has none. */
function failedChecks(text: string): string {
  const { data } = answerWithChecks.safeParse(parseJson(text));
  const failed = Object.entries(data?.checks ?? {}).filter(([, { ok }]) => !ok);
  return failed.length === 0 ? text : failed.map(([name, { detail }]) => `${name}: ${detail}`).join("; ");
}
