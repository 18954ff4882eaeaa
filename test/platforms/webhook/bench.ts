import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AppStart, RunningApp } from "../../support/app.ts";
import { anEstablishedUpstream, type EstablishedUpstream } from "../../support/established-upstream.ts";
import { startReceiver, type WebhookReceiver } from "./receiver.ts";

/** The whole app with one webhook, `crm`, and a data service whose list the test changes. */
export interface WebhookBench {
  readonly established: EstablishedUpstream;
  readonly receiver: WebhookReceiver;
  start(changes?: Partial<AppStart>): Promise<RunningApp>;
  end(): Promise<void>;
}

/** `rules`: YAML. */
export async function startBench(rules: string): Promise<WebhookBench> {
  const established = await anEstablishedUpstream();
  const receiver = await startReceiver();
  const settings = join(established.dataDir, "..", "webhook.yaml");
  await writeFile(settings, `webhook: { endpoints: { crm: { url: "${receiver.url}", rules: ${rules} } } }\n`);
  return {
    established,
    receiver,
    start: (changes = {}) => {
      const env = { SPLITWATCH_CONFIG: settings, WEBHOOK_SECRETS: `crm=${receiver.secret}`, ...changes.env };
      return established.start({ ...changes, env });
    },
    async end() {
      await established.end();
      await receiver.stop();
    },
  };
}
