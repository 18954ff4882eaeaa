import { expect, it } from "vitest";
import { anAttempt, GENERAL } from "../../test/support/builders.ts";
import { ScriptedPlatform } from "../../test/support/scripted-platform.ts";
import type { Attempt } from "../domain/alert/delivery.ts";
import { DeliveryError, type Edit } from "../ports/chat-platform.ts";
import { type JoinBody, sendOrJoin } from "./join.ts";

const JOINED = { id: "first", link: null };
const BODY = { edit: { titles: ["both"] }, reply: { titles: ["the second"] } } satisfies JoinBody;

function editingPlatform(failure: DeliveryError | null): ScriptedPlatform & { readonly edits: readonly Edit[] } {
  const edits: Edit[] = [];
  return Object.assign(new ScriptedPlatform(), {
    edits,
    edit: async (edit: Edit): Promise<void> => {
      edits.push(edit);
      if (failure !== null) throw failure;
    },
  });
}

const joining = (sends = 1): Attempt =>
  anAttempt({ messageId: "m-1", to: GENERAL, body: BODY, replyTo: JOINED, sends });

it("edits the message that an attempt joins, and posts nothing", async () => {
  const platform = editingPlatform(null);
  const attempt = joining();
  expect(await sendOrJoin(platform, attempt)).toEqual(JOINED);
  expect(platform.edits).toEqual([{ to: attempt.to, ref: JOINED, body: BODY.edit }]);
  expect(platform.sends).toEqual([]);
});

it.each([
  ["refuses the edit for good", new DeliveryError("unrecognized", "too old", { isUneditable: true }), 1],
  ["limits edits for more than a minute", new DeliveryError("retry", "limited", { retryAfterMs: 60_001 }), 1],
  ["limits the fourth edit, too", new DeliveryError("retry", "limited", { retryAfterMs: 1_000 }), 4],
  ["doesn't answer the fourth edit either", new DeliveryError("unknown-outcome", "no answer"), 4],
])("sends a reply if the platform %s", async (_, failure, sends) => {
  const platform = editingPlatform(failure);
  await sendOrJoin(platform, joining(sends));
  expect(platform.posted).toMatchObject([BODY.reply]);
});

it("sends a reply on a platform that can't edit messages", async () => {
  const platform = new ScriptedPlatform();
  await sendOrJoin(platform, joining());
  expect(platform.posted).toMatchObject([BODY.reply]);
});

it.each([
  ["exceeds a limit for the third time", new DeliveryError("retry", "limited", { retryAfterMs: 60_000 }), 3],
  [
    "exceeds a limit of all requests",
    new DeliveryError("retry", "limited", { retryAfterMs: 120_000, limitKey: "all" }),
    9,
  ],
  ["can't reach the platform", new DeliveryError("retry", "no connection"), 9],
  ["isn't allowed", new DeliveryError("not-allowed", "no access"), 9],
])("leaves an edit to the next try if it %s", async (_, failure, sends) => {
  const platform = editingPlatform(failure);
  await expect(sendOrJoin(platform, joining(sends))).rejects.toBe(failure);
  expect(platform.sends).toEqual([]);
});

it("retries an edit with an unknown outcome without a search: it posted nothing", async () => {
  const platform = editingPlatform(new DeliveryError("unknown-outcome", "no answer", { isTimeout: true }));
  await expect(sendOrJoin(platform, joining(3))).rejects.toMatchObject({ failure: "retry", message: "no answer" });
  expect(platform.sends).toEqual([]);
});
