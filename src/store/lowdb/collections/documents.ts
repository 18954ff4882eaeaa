import { join } from "node:path";
import { readIfExists, writeDurably } from "../../../lib/durable-file.ts";
import type { Documents } from "../../../ports/store.ts";

/** Documents, each in a file of its own. */
export class LowdbDocuments implements Documents {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async read(name: string): Promise<string | null> {
    const bytes = await readIfExists(this.#pathOf(name)).catch(() => null);
    return bytes === null ? null : bytes.toString("utf8");
  }

  async write(name: string, text: string): Promise<void> {
    await writeDurably(this.#pathOf(name), text);
  }

  /** Never calls the listener: no other process uses the files. */
  onChange(): () => void {
    return () => undefined;
  }

  #pathOf(name: string): string {
    return join(this.#dir, `${name}.json`);
  }
}
