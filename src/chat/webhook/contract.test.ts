import { describeChatPlatform } from "../../../test/contract/chat-platform-contract.ts";
import { startReceiver } from "../../../test/platforms/webhook/receiver.ts";
import { temporaryFolder } from "../../../test/support/app.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { DEFAULT_FILTER } from "../../domain/settings/rule.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { configuredStore } from "../../store/index.ts";
import { createWebhookPlatform } from "./platform.ts";
import { destinationOf, type Endpoint } from "./settings.ts";

describeChatPlatform("webhook", async () => {
  const receivers = { crm: await startReceiver(), ops: await startReceiver() };
  const folder = await temporaryFolder();
  const clock = new ManualClock();
  const store = await configuredStore({ dataDir: folder.path }).open({ clock, log: SILENT_LOG });
  const endpoints = Object.entries(receivers).map(([name, { url }]): Endpoint => {
    return { name, url: new URL(url), rules: [DEFAULT_FILTER], keys: [Buffer.alloc(32, name)] };
  });
  const platform = createWebhookPlatform({
    endpoints,
    messagesPerMinute: 60,
    store,
    clock,
    log: SILENT_LOG,
    version: "1.2.3",
    wake: () => undefined,
  });
  return {
    platform,
    channel: destinationOf("crm"),
    // Webhooks have no people; any other endpoint takes the place of one.
    person: destinationOf("ops"),
    resend: "once",
    canSearch: false,
    read: async ({ id }) => (id === "ops" ? receivers.ops : receivers.crm).processed.map(({ text }) => text),
    async close() {
      await platform.stop();
      await store.close();
      await receivers.crm.stop();
      await receivers.ops.stop();
      await folder.remove();
    },
  };
});
