import { expect, it } from "vitest";
import { recordedLog } from "../../test/support/recorded-log.ts";
import { StoreError } from "../ports/store.ts";
import { createReplayGuard } from "./replay-guard.ts";

it("counts a request as new if the store can't record it", async () => {
  const log = recordedLog();
  const isNew = createReplayGuard("slack", { add: () => Promise.reject(new StoreError("no connection")) }, log);
  expect(await isNew(["envelope-1"])).toBe(true);
  expect(log.count("slack request not recorded")).toBe(1);
});
