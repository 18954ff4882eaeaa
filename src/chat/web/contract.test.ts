import { describeChatPlatform } from "../../../test/contract/chat-platform-contract.ts";
import { temporaryFolder } from "../../../test/support/app.ts";
import { ALICE, GENERAL } from "../../../test/support/builders.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { operatorViewOf } from "../../../test/support/operator-view.ts";
import { postedTexts } from "../../../test/support/posted-texts.ts";
import { EMPTY_ANSWERS } from "../../../test/support/web-platform-under-test.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { configuredStore } from "../../store/index.ts";
import { createWebPlatform } from "./platform.ts";

describeChatPlatform("web", async () => {
  const folder = await temporaryFolder();
  const clock = new ManualClock();
  const store = await configuredStore({ dataDir: folder.path }).open({ clock, log: SILENT_LOG });
  const platform = createWebPlatform({
    ...EMPTY_ANSWERS,
    store,
    clock,
    log: SILENT_LOG,
    operator: operatorViewOf(store, clock),
    adminToken: null,
    publicUrl: null,
  });
  return {
    platform,
    channel: GENERAL,
    person: ALICE,
    resend: "once",
    canSearch: true,
    read: (destination) => postedTexts(store, destination),
    async close() {
      await store.close();
      await folder.remove();
    },
  };
});
