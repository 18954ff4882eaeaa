import { describeChatPlatform } from "../../../test/contract/chat-platform-contract.ts";
import { startSlack } from "../../../test/platforms/slack/server/server.ts";
import { shownText } from "../../../test/platforms/slack/users/message-text.ts";
import { temporaryFolder } from "../../../test/support/app.ts";
import { systemClock } from "../../lib/clock.ts";
import { card } from "../../messages/message.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { configuredStore } from "../../store/index.ts";
import { createSlackPlatform } from "./platform.ts";
import { channelDestination, personDestination } from "./workspace.ts";

describeChatPlatform("slack", async () => {
  const slack = await startSlack();
  const folder = await temporaryFolder();
  const store = await configuredStore({ dataDir: folder.path }).open({ clock: systemClock, log: SILENT_LOG });
  const platform = createSlackPlatform({
    app: {
      access: { kind: "one", botToken: slack.botToken },
      transport: { kind: "socket", appToken: slack.appToken },
      port: null,
      apiUrl: slack.apiUrl,
    },
    host: "127.0.0.1",
    publicUrl: null,
    commonPort: 0,
    restrictSubscribe: false,
    messagesPerMinute: 300,
    commands: {
      list: [],
      run: async () => ({ cards: [], shareable: false }),
      runPublicly: async () => ({ cards: [], shareable: false }),
      complete: async () => [],
      completeValue: async () => [],
    },
    screens: {
      problems: async () => [],
      ruleForm: async () => ({ kind: "refused", card: card({ title: "No rule" }) }),
      home: () => Promise.reject(new Error("no home tab in this test")),
    },
    store,
    clock: systemClock,
    log: SILENT_LOG,
    wake: () => undefined,
  });
  return {
    platform,
    channel: channelDestination(slack.workspace.team.id, slack.channel("general").id),
    person: personDestination(slack.workspace.team.id, slack.user("ada").id),
    resend: "may-double",
    canLook: true,
    async read(to) {
      const messages = to.kind === "channel" ? slack.messages("general") : slack.directMessages("ada");
      return messages.map((message) => `${message.text}\n${shownText(message)}`);
    },
    async close() {
      const { violations } = slack;
      await slack.stop();
      await store.close();
      await folder.remove();
      if (violations.length > 0) throw new Error(violations.join("\n"));
    },
  };
});
