import { afterEach, beforeEach, expect, it } from "vitest";
import { startReceiver, type WebhookReceiver } from "../../../test/platforms/webhook/receiver.ts";
import { startUpstream } from "../../../test/support/upstream.ts";
import { faults } from "../../../test/support/upstream-faults.ts";
import { DEFAULT_FILTER } from "../../domain/settings/rule.ts";
import { fail, pass, warn } from "../../lib/check-result.ts";
import { checkWebhooks } from "./doctor.ts";
import type { Endpoint } from "./settings.ts";

let receiver: WebhookReceiver;

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(() => receiver.stop());

function endpointAt(url: string): Endpoint {
  return { name: "crm", url: new URL(url), rules: [DEFAULT_FILTER], keys: [Buffer.alloc(32), Buffer.alloc(24)] };
}

it("passes for a receiver that answers, whatever it answers to a GET, and sends it no message", async () => {
  const results = await checkWebhooks({ endpoints: [endpointAt(receiver.url)], messagesPerMinute: 60 });
  expect(results).toEqual([pass(`crm: ${new URL(receiver.url).host} answers; 1 rule, 2 keys`)]);
  expect(receiver.received).toEqual([]);
});

it("names a receiver that fails, redirects or can't be reached", async () => {
  const failing = await startUpstream();
  const redirecting = await startUpstream();
  failing.injectFault(faults.status(502));
  redirecting.injectFault(faults.redirect("https://login.example"));
  const [failingHost, redirectingHost, closedHost] = [failing.url, redirecting.url, receiver.url].map(
    (url) => new URL(url).host,
  );
  await receiver.stop();
  const endpoints = [failing.url, redirecting.url, receiver.url].map(endpointAt);
  const results = await checkWebhooks({ endpoints, messagesPerMinute: 60 });
  await failing.stop();
  await redirecting.stop();
  expect(results).toEqual([
    warn(`crm: ${failingHost} answers 502; see the receiver's log`),
    warn(`crm: ${redirectingHost} redirects; messages aren't redirected, so set the final address`),
    fail(`crm: ${closedHost} can't be reached (no connection (ECONNREFUSED)); check webhook.endpoints.crm.url`),
  ]);
});
