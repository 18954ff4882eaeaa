import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "splitwatch-faults-";
const NAME = new RegExp(`^${PREFIX}(?<pid>\\d+)-`);

/** The folder of a run. Its disks are unmounted when the run ends, or, if it was killed, when the next run starts. */
export class RunFolder {
  readonly path: string;

  constructor(parent = tmpdir()) {
    for (const name of readdirSync(parent)) if (isLeftover(name)) remove(join(parent, name));
    this.path = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
    process.once("exit", this.#removeAtExit);
  }

  close(): void {
    process.removeListener("exit", this.#removeAtExit);
    remove(this.path);
  }

  readonly #removeAtExit = (): void => remove(this.path);
}

/** Whether a folder belongs to a run whose process has ended. */
function isLeftover(name: string): boolean {
  const pid = NAME.exec(name)?.groups?.pid;
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function remove(folder: string): void {
  for (const mount of mountsBelow(folder)) execFileSync("umount", ["--lazy", mount]);
  rmSync(folder, { recursive: true, force: true });
}

/** Mount points in a folder; none where the system has no list of them. */
function mountsBelow(folder: string): readonly string[] {
  try {
    const points = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .flatMap((line) => line.split(" ")[1] ?? []);
    return points.filter((point) => point.startsWith(`${folder}/`));
  } catch {
    return [];
  }
}
