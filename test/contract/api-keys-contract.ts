import { beforeEach, describe, expect, it } from "vitest";
import type { ApiKeys } from "../../src/ports/api-keys.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import type { ApiKey } from "../../src/ports/state-records.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { waitUntil } from "../support/wait-until.ts";

function aKey(name: string, parts: Partial<ApiKey> = {}): ApiKey {
  return { name, sha256: "0".repeat(64), created: "2026-03-02T14:00:00.000Z", revoked: null, ...parts };
}

/** Contract of the API keys of every store. `open` returns those of a new, empty state, as one process and as another use them. */
export function describeApiKeys(name: string, open: () => Promise<readonly [ApiKeys, ApiKeys]>): void {
  describe(`API keys: ${name}`, () => {
    let own: ApiKeys;
    let others: ApiKeys;

    beforeEach(async () => {
      [own, others] = await open();
    });

    it("are kept in their order, and read by every process", async () => {
      expect(await own.read()).toEqual([]);
      const keys = [aKey("b"), aKey("a", { revoked: "2026-03-03T14:00:00.000Z" }), aKey("A.b_c-9")];
      await own.change(() => keys);
      expect(await others.read()).toEqual(keys);
      await others.change((all) => all.toReversed());
      expect(await own.read()).toEqual(keys.toReversed());
    });

    it("contain every one of many simultaneous changes by two processes", async () => {
      const names = Array.from({ length: 20 }, (_, n) => `key-${n}`);
      await Promise.all(names.map((key, n) => (n % 2 === 0 ? own : others).change((keys) => [...keys, aKey(key)])));
      expect((await own.read()).map((key) => key.name).toSorted()).toEqual(names.toSorted());
    });

    it("are unchanged if the change throws", async () => {
      await own.change(() => [aKey("a")]);
      const failing = own.change(() => {
        throw new Error("refused");
      });
      await expect(failing).rejects.toThrow("refused");
      expect(await own.read()).toEqual([aKey("a")]);
      await own.change((keys) => [...keys, aKey("b")]);
      expect(await others.read()).toHaveLength(2);
    });

    it("are followed: changes by other processes arrive, and unchanged keys are the same array", async () => {
      await own.change(() => [aKey("a")]);
      const clock = new ManualClock();
      const followed = await own.follow({ clock, log: SILENT_LOG });
      expect(followed.current()).toEqual([aKey("a")]);
      expect(followed.current()).toBe(followed.current());
      await others.change((keys) => [...keys, aKey("b")]);
      await waitUntil("the new key arrives", async () => {
        await clock.advance(250);
        return followed.current().length === 2;
      });
      expect(followed.current()).toEqual(await own.read());
      await followed.close();
    });
  });
}
