import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { listenOn } from "./answering-socket.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Socket that answers with the folder of the built program. */
    readonly build: string;
  }
}

const CACHE = join(import.meta.dirname, "../../.cache");
/** Age from which a build belongs to a run that was killed. */
const ABANDONED_MS = 24 * 60 * 60_000;
const BUILD = new URL("../../scripts/build.mjs", import.meta.url).href;

/**
 * The built program for all tests of a run, which is built when the first test asks for it. It starts with half of the CPU time of
 * the sources.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-build-"));
  // The program reads files of the folder above, and finds its packages there.
  const dist = join(CACHE, `tests-${randomBytes(4).toString("hex")}`);
  let built: Promise<string> | null = null;
  const build = async (): Promise<string> => {
    const { buildInto } = (await import(BUILD)) as { readonly buildInto: (folder: string) => Promise<void> };
    await buildInto(dist);
    return dist;
  };
  await removeAbandoned();
  const socket = join(folder, "build.sock");
  const listener = await listenOn(socket, () => (built ??= build()));
  project.provide("build", socket);
  return async () => {
    listener.close();
    for (const path of [folder, dist, `${dist}-compiled`]) await rm(path, { recursive: true, force: true });
  };
}

async function removeAbandoned(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  for (const name of await readdir(CACHE)) {
    if (!name.startsWith("tests-")) continue;
    const path = join(CACHE, name);
    // Another run may remove it.
    const { mtimeMs } = (await stat(path).catch(() => null)) ?? { mtimeMs: Infinity };
    if (mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}
