import { isDeepStrictEqual } from "node:util";
import type { Instant } from "../../../domain/time/day.ts";
import type { Installation } from "../../../ports/state-records.ts";
import type { Installations } from "../../../ports/store.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Tables } from "../rows/tables.ts";

export class LowdbInstallations implements Installations {
  readonly #log: ChangeLog;
  readonly #tables: Pick<Tables, "installations" | "usedTokens">;

  constructor(log: ChangeLog) {
    this.#log = log;
    this.#tables = log.tables;
  }

  async all(platform: string): Promise<readonly Installation[]> {
    return [...this.#tables.installations.values()].filter((installation) => installation.platform === platform);
  }

  async find(platform: string, workspaceId: string): Promise<Installation | null> {
    return this.#tables.installations.get(installationKey({ platform, workspaceId })) ?? null;
  }

  async put(installation: Installation): Promise<void> {
    await this.#log.change((transaction) => {
      transaction.put(this.#tables.installations, installationKey(installation), installation);
    });
  }

  replace(before: Installation, next: Installation): Promise<boolean> {
    return this.#log.change((transaction) => {
      const stored = transaction.get(this.#tables.installations, installationKey(before));
      if (!isDeepStrictEqual(stored, before)) return false;
      transaction.put(this.#tables.installations, installationKey(next), next);
      return true;
    });
  }

  async remove(platform: string, workspaceId: string): Promise<void> {
    await this.#log.change((transaction) => {
      transaction.remove(this.#tables.installations, installationKey({ platform, workspaceId }));
    });
  }

  async consumeToken(token: string, now: Instant, until: Instant): Promise<boolean> {
    const { usedTokens } = this.#tables;
    return this.#log.change((transaction) => {
      if (transaction.get(usedTokens, token) !== undefined) return false;
      for (const [used, end] of transaction.entries(usedTokens)) if (end <= now) transaction.remove(usedTokens, used);
      transaction.put(usedTokens, token, until);
      return true;
    });
  }
}

export function installationKey({ platform, workspaceId }: Pick<Installation, "platform" | "workspaceId">): string {
  return `${platform}:${workspaceId}`;
}
