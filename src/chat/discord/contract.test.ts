import { describeChatPlatform } from "../../../test/contract/chat-platform-contract.ts";
import { textOf } from "../../../test/platforms/discord/model.ts";
import { makeDiscordPlatform } from "../../../test/support/discord-platform-under-test.ts";

describeChatPlatform("discord", async () => {
  const made = await makeDiscordPlatform();
  const { discord, alerts, ada } = made;
  return {
    ...made,
    resend: "once",
    canSearch: true,
    read: async (destination) => discord.messages(destination.kind === "person" ? ada.direct : alerts).map(textOf),
    async close() {
      await made.close();
      if (discord.violations.length > 0) throw new Error(discord.violations.join("\n"));
    },
  };
});
