// Prints the largest resident set of a process at its end, in kilobytes. `resourceUsage` would include the process that started it.
import { readFileSync } from "node:fs";

process.on("exit", () => {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  process.stderr.write(`maxRSS ${kilobytes}\n`);
});
