import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
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

const ROOT = join(import.meta.dirname, "../..");
const BUILD = new URL("../../scripts/build.mjs", import.meta.url).href;

/** The built program for all tests of a run, which is built when the first test asks for it. It takes half of the CPU time of a start from the sources. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-build-"));
  // The program reads files of the folder above, and finds its packages there.
  const dist = join(ROOT, ".cache", `tests-${randomBytes(4).toString("hex")}`);
  let built: Promise<string> | null = null;
  const build = async (): Promise<string> => {
    const { buildInto } = (await import(BUILD)) as { readonly buildInto: (folder: string) => Promise<void> };
    await buildInto(dist);
    return dist;
  };
  const socket = join(folder, "build.sock");
  const listener = await listenOn(socket, () => (built ??= build()));
  project.provide("build", socket);
  return async () => {
    listener.close();
    for (const path of [folder, dist]) await rm(path, { recursive: true, force: true });
  };
}
