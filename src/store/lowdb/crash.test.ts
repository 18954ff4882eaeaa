import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { contentOf, openIn, readAll, STORY, StoreFolders, steppingDisk } from "../../../test/support/store-folder.ts";
import type { Store } from "../../ports/store.ts";
import { realDisk } from "./files/disk.ts";
import { type CheckpointFile, segmentName } from "./rows/stored-rows.ts";

const folders = new StoreFolders();

afterEach(() => folders.removeAll());

/** Runs the work and copies the folder before and after each disk operation: the states that a kill may leave. */
async function copiesDuring(
  dir: string,
  checkpointAboveBytes: number,
  work: (store: Store) => Promise<unknown>,
): Promise<string[]> {
  const copies: string[] = [];
  const disk = steppingDisk(realDisk, async () => {
    copies.push(await folders.copyOf(dir));
  });
  const store = await openIn(dir, { disk, checkpointAboveBytes });
  await work(store);
  await store.close();
  return copies;
}

/** Names of the segments that are in use. */
async function listedIn(dir: string): Promise<readonly string[]> {
  const { segments } = JSON.parse(await readFile(join(dir, "checkpoint.json"), "utf8")).state as CheckpointFile;
  const names = Object.entries(segments).flatMap(([table, files]) =>
    files.map(([number]) => segmentName(table, number)),
  );
  return names.toSorted();
}

describe("a process that is killed", () => {
  it.each([
    ["while its log grows", 1_000_000, 0],
    ["while nearly every write makes a checkpoint", 1, 1],
  ])(
    "%s leaves the state before or after the interrupted change, and files that the next start removes",
    async (_, checkpointAboveBytes, minRemovedFiles) => {
      const dir = await folders.make();
      const states: unknown[] = [await contentOf(dir)];
      const seen: { readonly copy: string; readonly step: number }[] = [];
      const disk = steppingDisk(realDisk, async () => {
        const step = states.length;
        seen.push({ copy: await folders.copyOf(dir), step });
      });
      const store = await openIn(dir, { disk, checkpointAboveBytes });
      for (const step of STORY) {
        await step(store);
        states.push(await readAll(store));
      }
      await store.close();

      expect(seen.length).toBeGreaterThan(STORY.length * 2);
      let removedFiles = 0;
      for (const { copy, step } of seen) {
        const before = await readdir(copy);
        expect([states[step - 1], states[step]]).toContainEqual(await contentOf(copy));
        const after = await readdir(copy);
        removedFiles += before.filter((name) => !after.includes(name)).length;
        expect(after.filter((name) => !/\.(json|log)$/.test(name))).toEqual([]);
        expect(after.filter((name) => /-\d{6}\.json$/.test(name)).toSorted()).toEqual(await listedIn(copy));
      }
      expect(removedFiles).toBeGreaterThanOrEqual(minRemovedFiles);
      expect(await contentOf(dir)).toEqual(states.at(-1));
    },
  );

  it("while it starts, loses nothing", async () => {
    const dir = await folders.make();
    const store = await openIn(dir);
    for (const step of STORY) await step(store);
    const all = await readAll(store);
    await store.close();

    const copies = await copiesDuring(dir, 1, async () => undefined);
    expect(copies.length).toBeGreaterThan(20);
    for (const copy of copies) expect(await contentOf(copy)).toEqual(all);
  });

  it("during its first start, can start again", async () => {
    const copies = await copiesDuring(await folders.make(), 1_000_000, async () => undefined);

    const contents = await Promise.all(copies.map((copy) => contentOf(copy)));
    expect(contents.length).toBeGreaterThan(10);
    for (const content of contents) expect(content).toEqual(contents[0]);
  });

  it("while it prunes, loses only the pruned data", async () => {
    const dir = await folders.make();
    const store = await openIn(dir);
    for (const step of STORY) await step(store);
    const before = await readAll(store);
    await store.close();

    let pruned: unknown;
    const copies = await copiesDuring(dir, 1_000_000, async (again) => {
      await again.prune(Number.POSITIVE_INFINITY);
      pruned = await readAll(again);
    });
    expect(pruned).not.toEqual(before);
    for (const copy of copies) {
      const { trails: _, postings: __, ...content } = (await contentOf(copy)) as Record<string, unknown>;
      const { waiting, snapshot, rules } = before as Record<string, unknown>;
      expect(content).toMatchObject({ waiting, snapshot, rules });
    }
    expect(await contentOf(dir)).toEqual(pruned);
  });
});
