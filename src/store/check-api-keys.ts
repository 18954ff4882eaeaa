import { type CheckResult, fail, pass } from "../lib/check-result.ts";
import { errorMessage } from "../lib/error-text.ts";
import type { ApiKeys } from "../ports/api-keys.ts";

/** Checks that the API keys can be read. */
export async function checkApiKeys(apiKeys: ApiKeys): Promise<CheckResult> {
  try {
    const active = (await apiKeys.read()).filter(({ revoked }) => revoked === null);
    return pass(`API keys: ${active.length} active`);
  } catch (error) {
    return fail(`API keys: ${errorMessage(error)}`);
  }
}
