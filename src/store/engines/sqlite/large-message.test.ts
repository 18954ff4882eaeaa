import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { articleSeen, attemptOf, deliveryOf, REF, T0 } from "../../../../test/contract/store-builders.ts";
import { openIn } from "../../../../test/support/store-folder.ts";

/** SQLite allows 32,766. */
const TOO_MANY_PARAMETERS = 32_767;

it("carries more deliveries than a statement may have parameters", { timeout: 60_000 }, async () => {
  const dir = await mkdtemp(join(tmpdir(), "sqlite-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const store = await openIn(dir);
  onTestFinished(() => store.close());
  const { outbox, snapshot } = store;
  const events = Array.from({ length: TOO_MANY_PARAMETERS }, (_, n) => articleSeen(`https://example.com/${n}`));
  const deliveries = events.map((event) => deliveryOf(event));
  await snapshot.commit({ patch: null, events, deliveries });

  const attempt = attemptOf("m1", deliveries);
  await outbox.saveAttempt(attempt);
  expect((await outbox.waitingIn(attempt)).length).toBe(events.length);
  expect((await outbox.markSent("m1", REF, T0)).length).toBe(events.length);
  expect(await outbox.waitingCount()).toBe(0);
});
