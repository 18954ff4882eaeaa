import { describeChatPlatform } from "../../../test/contract/chat-platform-contract.ts";
import { shownText } from "../../../test/platforms/slack/message-text.ts";
import { startSlack } from "../../../test/platforms/slack/server.ts";
import { silentLog } from "../../../test/support/silent-log.ts";
import { systemClock } from "../../system/clock.ts";
import { createSlackPlatform } from "./platform.ts";
import { channelAt, personAt } from "./workspace.ts";

describeChatPlatform("slack", async () => {
  const slack = await startSlack();
  const platform = createSlackPlatform({
    app: {
      botToken: slack.botToken,
      appToken: slack.appToken,
      signingSecret: null,
      port: null,
      apiUrl: slack.apiUrl,
    },
    host: "127.0.0.1",
    restrictSubscribe: false,
    messagesPerMinute: 300,
    commands: {
      list: [],
      ask: async () => ({ cards: [], shareable: false }),
      share: async () => ({ cards: [], shareable: false }),
      complete: async () => [],
    },
    store: { rules: { at: async () => [] } },
    clock: systemClock,
    log: silentLog,
  });
  return {
    platform,
    channel: channelAt(slack.workspace.team.id, slack.channel("general").id),
    person: personAt(slack.workspace.team.id, slack.user("ada").id),
    resend: "may-double",
    canLook: true,
    async read(to) {
      const messages = to.kind === "channel" ? slack.messages("general") : slack.directMessages("ada");
      return messages.map((message) => `${message.text}\n${shownText(message)}`);
    },
    async close() {
      const { violations } = slack;
      await slack.stop();
      if (violations.length > 0) throw new Error(violations.join("\n"));
    },
  };
});
