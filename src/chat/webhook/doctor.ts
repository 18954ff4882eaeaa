import { type HttpClient, HttpError } from "../../http/client.ts";
import { type CheckResult, fail, pass, warn } from "../../lib/check-result.ts";
import { readVersion } from "../../lib/package.ts";
import { formatCount } from "../../messages/format.ts";
import { createWebhookClient } from "./sender.ts";
import type { Endpoint, WebhookSettings } from "./settings.ts";

const TIMEOUT_MS = 10_000;

/** Checks that each endpoint answers HTTP requests. Sends no message: the request is a GET without a body. */
export async function checkWebhooks({ endpoints }: WebhookSettings): Promise<readonly CheckResult[]> {
  const http = createWebhookClient(readVersion(), TIMEOUT_MS);
  try {
    return await Promise.all(endpoints.map((endpoint) => checkEndpoint(http, endpoint)));
  } finally {
    await http.close();
  }
}

async function checkEndpoint(http: HttpClient, { name, url, rules, keys }: Endpoint): Promise<CheckResult> {
  try {
    const { status } = await http.request(url, { ignoresBody: true });
    if (status >= 300 && status < 400)
      return warn(`${name}: ${url.host} redirects; messages aren't redirected, so set the final address`);
    if (status >= 500) return warn(`${name}: ${url.host} answers ${status}; see the receiver's log`);
    const parts = [formatCount(rules.length, "rule"), formatCount(keys.length, "key")];
    return pass(`${name}: ${url.host} answers; ${parts.join(", ")}`);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return fail(`${name}: ${url.host} can't be reached (${error.message}); check webhook.endpoints.${name}.url`);
  }
}
