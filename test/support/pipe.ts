import { execFileSync, spawn } from "node:child_process";
import { onTestFinished } from "vitest";

/** Creates a named pipe. Its only writer comes after 3 seconds and writes nothing, so that waiting for it delays a test instead of blocking it. */
export function makePipe(path: string): void {
  execFileSync("mkfifo", [path]);
  const writer = spawn("sh", ["-c", 'sleep 3; exec 3<>"$1"', "sh", path], { stdio: "ignore" });
  onTestFinished(() => void writer.kill());
}
