import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildInto } from "../../build.mjs";
import { isReady, startPlatforms, withProgramFolder } from "../parts/program.mjs";
import { sharesOf } from "./attribution.mjs";

const DIST = fileURLToPath(new URL("../../../dist/", import.meta.url));
const PROGRAM = join(DIST, "profiled");
const SAMPLING_MICROS = 200;
const ROUNDS = 5;

/** Profiles starts of the program until it is ready: without platforms, and with both. */
export async function profileStarts() {
  await buildInto(PROGRAM, { sourcemap: "hidden" });
  const servers = await startPlatforms();
  try {
    return [
      { name: "Start to `/readyz`, web only", ...(await profileSeveral({})) },
      { name: "Start to `/readyz`, both platforms", ...(await profileSeveral(servers.env)) },
    ];
  } finally {
    await servers.stop();
  }
}

async function profileSeveral(env) {
  const recordings = [];
  for (let round = 0; round < ROUNDS; round += 1) recordings.push(await recordStart(env));
  return sharesOf(recordings);
}

async function recordStart(env) {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  const flags = ["--cpu-prof", `--cpu-prof-dir=${dir}`, `--cpu-prof-interval=${SAMPLING_MICROS}`];
  try {
    const untilMicros = await withProgramFolder(env, async (options, address) => {
      const child = spawn(process.execPath, [...flags, join(PROGRAM, "main.js")], {
        env: { PATH: process.env.PATH, ...options },
        stdio: ["ignore", "ignore", "inherit"],
      });
      const ended = once(child, "exit");
      await Promise.race([isReady(address), ended.then(([code]) => Promise.reject(new Error(`exit code ${code}`)))]);
      // The profile's times are of the same clock.
      const micros = Number(process.hrtime.bigint() / 1_000n);
      child.kill("SIGTERM");
      await ended;
      return micros;
    });
    const [file] = await readdir(dir);
    return { profile: JSON.parse(await readFile(join(dir, file), "utf8")), untilMicros };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
