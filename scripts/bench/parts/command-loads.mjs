import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { median } from "./pairs.mjs";

const SCRIPT = fileURLToPath(new URL("command-load.mjs", import.meta.url));

/** Starts a process with a store of its own, in a folder or in the given database. `run` measures commands for some seconds. */
export async function startLoad(entries, perSecond, database) {
  const child = fork(SCRIPT, [entries, perSecond, ...(database === undefined ? [] : [database])].map(String));
  const exited = endOf(child);
  const answer = async () => {
    const [message] = await Promise.race([once(child, "message"), exited]);
    return message;
  };
  await answer();
  return {
    run(seconds) {
      child.send(seconds);
      return answer();
    },
    async end() {
      child.send("end");
      await exited;
    },
  };
}

/** Rejects if the program fails. */
async function endOf(child) {
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the measured program ended with exit code ${code}`);
  return [];
}

/** Median of the rounds, because another program can delay all commands of one. */
export function p99(rounds, name) {
  return median(
    rounds.map(({ timesMs }) => timesMs[name].toSorted((a, b) => a - b)[Math.floor(timesMs[name].length * 0.99)]),
  );
}
