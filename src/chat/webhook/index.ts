import { rulesOf } from "../configured-rules.ts";
import type { PlatformDefinition } from "../platform-definition.ts";
import {
  destinationOf,
  PLATFORM,
  readWebhookSettings,
  WEBHOOK_VARIABLES,
  type WebhookSection,
  type WebhookSettings,
  webhookSection,
} from "./settings.ts";

export const webhook: PlatformDefinition<WebhookSettings, WebhookSection> = {
  name: PLATFORM,
  label: "Webhooks",
  isExternal: true,
  variables: WEBHOOK_VARIABLES,
  section: webhookSection,
  startupHint: "webhook.endpoints and WEBHOOK_SECRETS to send alerts to other programs",
  readSettings: readWebhookSettings,
  rules: ({ endpoints }) => endpoints.flatMap(({ name, rules }) => rulesOf(destinationOf(name), rules)),
  async connect(settings, parts) {
    const { createWebhookPlatform } = await import("./platform.ts");
    return { platform: createWebhookPlatform({ ...settings, ...parts }), routes: null };
  },
  async check(settings) {
    const { checkWebhooks } = await import("./doctor.ts");
    return checkWebhooks(settings);
  },
};
