import { expect, it } from "vitest";
import { readBlockActions } from "./payloads.ts";

function payloadWith(actionCount: number): unknown {
  const actions = Array.from({ length: actionCount }, () => ({ action_id: "run:1", type: "button", value: "list" }));
  return { type: "block_actions", user: { id: "U1" }, container: { channel_id: "C1" }, actions };
}

it("reads a payload of up to 25 actions and rejects a longer one", () => {
  expect(readBlockActions(payloadWith(25)).actions).toHaveLength(25);
  expect(() => readBlockActions(payloadWith(26))).toThrow(/at most 25|<=25/i);
});
