import { describeChatPlatform } from "../../../test/contract/chat-platform-contract.ts";
import { shownText } from "../../../test/platforms/slack/users/message-text.ts";
import { makeSlackPlatform } from "../../../test/support/slack-platform-under-test.ts";
import { channelDestination, personDestination } from "./workspace.ts";

describeChatPlatform("slack", async () => {
  const { platform, slack, close } = await makeSlackPlatform();
  return {
    platform,
    channel: channelDestination(slack.workspace.team.id, slack.channel("general").id),
    person: personDestination(slack.workspace.team.id, slack.user("ada").id),
    resend: "may-duplicate",
    canSearch: true,
    async read(destination) {
      const messages = destination.kind === "channel" ? slack.messages("general") : slack.directMessages("ada");
      return messages.map((message) => `${message.text}\n${shownText(message)}`);
    },
    close,
  };
});
