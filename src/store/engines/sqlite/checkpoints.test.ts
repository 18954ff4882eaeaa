import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { errorMessage } from "../../../lib/error-text.ts";
import { Checkpoints, MAX_LOG_BYTES } from "./checkpoints.ts";

it("reports a thread that fails, and can be closed then", async () => {
  const dir = await mkdtemp(join(tmpdir(), "sqlite-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, "log"), Buffer.alloc(MAX_LOG_BYTES));
  const log = await open(join(dir, "log"), "r+");
  onTestFinished(() => log.close());
  const problems: string[] = [];
  const checkpoints = new Checkpoints(join(dir, "missing", "test.db"), (error) => problems.push(errorMessage(error)));

  await checkpoints.noteCommit(log);
  await checkpoints.close();
  expect(problems).toEqual(["unable to open database file"]);
});
