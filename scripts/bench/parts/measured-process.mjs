import { fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const PRELOAD = new URL("usage-preload.mjs", import.meta.url).href;
const LOOPBACK_ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

/** Starts a Node program that prints its address. `cpuMicros` returns the CPU time it has used so far, in microseconds. */
export async function startServer(script, args, env = {}) {
  const child = fork(script, args, {
    execArgv: ["--import", PRELOAD],
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  return {
    address: await addressIn(child.stdout, exited),
    async cpuMicros() {
      child.send("usage");
      const [{ cpuMicros }] = await once(child, "message");
      return cpuMicros;
    },
    async stop() {
      child.kill();
      await exited;
    },
  };
}

function addressIn(output, exited) {
  return new Promise((resolve, reject) => {
    createInterface({ input: output }).on("line", (line) => {
      const [address] = LOOPBACK_ADDRESS.exec(line) ?? [];
      if (address) resolve(address);
    });
    void exited.then(([code]) => reject(new Error(`a measured program ended with exit code ${code}`)));
  });
}
