import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { StoreError } from "../../../ports/store.ts";
import { GroupCommit } from "./group-commit.ts";
import { Statements } from "./statements.ts";

it("fails what uses a lost connection, and lets nothing wait for it", async () => {
  const dir = await mkdtemp(join(tmpdir(), "sqlite-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  let writer = new Statements(join(dir, "test.db"), { readOnly: false });
  onTestFinished(() => writer.close());
  const transactions = new GroupCommit({
    openWriter: () => writer,
    sync: () => Promise.resolve(),
    fail: (error) => new StoreError(String(error)),
  });
  for (const end of ["commit", "rollback"] as const) {
    await transactions.begin();
    writer.close();
    const [ended, next] = await Promise.allSettled([transactions[end](), transactions.begin()]);
    expect([ended.status, next.status]).toEqual([end === "commit" ? "rejected" : "fulfilled", "rejected"]);
    writer = new Statements(join(dir, "test.db"), { readOnly: false });
  }
  await transactions.begin();
  await transactions.commit();
});
