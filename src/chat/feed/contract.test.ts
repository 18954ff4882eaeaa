import { describeChatPlatform } from "../../../test/contract/chat-platform-contract.ts";
import { temporaryFolder } from "../../../test/support/app.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { postedTexts } from "../../../test/support/posted-texts.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { configuredStore } from "../../store/index.ts";
import { createFeedPlatform } from "./platform.ts";
import { ALERTS } from "./settings.ts";

describeChatPlatform("feed", async () => {
  const folder = await temporaryFolder();
  const clock = new ManualClock();
  const store = await configuredStore({ dataDir: folder.path }).open({ clock, log: SILENT_LOG });
  const platform = createFeedPlatform({ store, clock, log: SILENT_LOG, publicUrl: "https://splits.example" });
  return {
    platform,
    channel: ALERTS,
    // Feeds have no people; any other destination takes the place of one.
    person: { ...ALERTS, kind: "person", id: "ada" },
    resend: "once",
    canSearch: true,
    read: (destination) => postedTexts(store, destination),
    async close() {
      await platform.stop();
      await store.close();
      await folder.remove();
    },
  };
});
