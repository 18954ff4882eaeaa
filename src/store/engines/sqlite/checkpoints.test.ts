import { type FileHandle, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { errorMessage } from "../../../lib/error-text.ts";
import { Checkpoints, MAX_LOG_BYTES } from "./checkpoints.ts";

/** A folder with a log that is large enough to be copied. */
async function largeLog(): Promise<{ readonly dir: string; readonly log: FileHandle }> {
  const dir = await mkdtemp(join(tmpdir(), "sqlite-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, "log"), Buffer.alloc(MAX_LOG_BYTES));
  const log = await open(join(dir, "log"), "r+");
  onTestFinished(() => log.close());
  return { dir, log };
}

it("reports a thread that fails, and can be closed then", async () => {
  const { dir, log } = await largeLog();
  const problems: string[] = [];
  const checkpoints = new Checkpoints(join(dir, "missing", "test.db"), (error) => problems.push(errorMessage(error)));

  await checkpoints.noteCommit(log);
  await checkpoints.close();
  expect(problems).toEqual(["unable to open database file"]);
});

it("copies again after a thread that failed, which doesn't answer what it was sent meanwhile", async () => {
  const { dir } = await largeLog();
  const problems: string[] = [];
  const checkpoints: Checkpoints = new Checkpoints(join(dir, "missing", "test.db"), (error) => {
    problems.push(errorMessage(error));
    if (problems.length === 1) void checkpoints.copy();
  });

  await checkpoints.copy();
  await checkpoints.close();
  expect(problems).toEqual(["unable to open database file", "the thread has ended"]);
  await checkpoints.copy();
  await checkpoints.close();
  expect(problems.slice(2)).toEqual(["unable to open database file"]);
});
