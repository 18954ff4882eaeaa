import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeChatPlatform } from "../../../test/contract/chat-platform-contract.ts";
import { ALICE, GENERAL } from "../../../test/support/builders.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { operatorViewOf } from "../../../test/support/operator-view.ts";
import { EMPTY_ANSWERS } from "../../../test/support/web-platform-under-test.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { configuredStore } from "../../store/index.ts";
import { createWebPlatform } from "./platform.ts";

describeChatPlatform("web", async () => {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-web-"));
  const clock = new ManualClock();
  const store = await configuredStore({ dataDir: dir }).open({ clock, log: SILENT_LOG });
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
    async read(destination) {
      const postings = await store.postings.list({ to: [destination], after: 0, limit: 100 });
      return postings.map((posting) => JSON.stringify(posting.body));
    },
    async close() {
      await store.close();
      await rm(dir, { recursive: true });
    },
  };
});
