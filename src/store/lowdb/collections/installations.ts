import type { Instant } from "../../../domain/time/day.ts";
import type { Installation } from "../../../ports/state-records.ts";
import type { Installations } from "../../../ports/store.ts";
import type { StateFile } from "../files/json-file.ts";

/** Content of `installations.json`. */
export interface InstallationsFile {
  readonly installations: readonly Installation[];
  /** Consumed single-use tokens, with the time until which they must be kept. */
  readonly used: Readonly<Record<string, Instant>>;
}

export const NO_INSTALLATIONS: InstallationsFile = { installations: [], used: {} };

export class LowdbInstallations implements Installations {
  readonly #file: StateFile<InstallationsFile>;

  constructor(file: StateFile<InstallationsFile>) {
    this.#file = file;
  }

  async all(platform: string): Promise<readonly Installation[]> {
    return this.#file.state.installations.filter((installation) => installation.platform === platform);
  }

  async find(platform: string, workspaceId: string): Promise<Installation | null> {
    return this.#file.state.installations.find((installation) => isOf(installation, platform, workspaceId)) ?? null;
  }

  async put(installation: Installation): Promise<void> {
    const { platform, workspaceId } = installation;
    await this.#file.change((state) => {
      const others = state.installations.filter((candidate) => !isOf(candidate, platform, workspaceId));
      return [{ ...state, installations: [...others, installation] }, undefined];
    });
  }

  async remove(platform: string, workspaceId: string): Promise<void> {
    await this.#file.change((state) => {
      const remaining = state.installations.filter((installation) => !isOf(installation, platform, workspaceId));
      const isUnchanged = remaining.length === state.installations.length;
      return [isUnchanged ? state : { ...state, installations: remaining }, undefined];
    });
  }

  async consumeToken(token: string, now: Instant, until: Instant): Promise<boolean> {
    return this.#file.change((state) => {
      if (Object.hasOwn(state.used, token)) return [state, false];
      const unexpired = Object.entries(state.used).filter(([, end]) => end > now);
      return [{ ...state, used: { ...Object.fromEntries(unexpired), [token]: until } }, true];
    });
  }
}

function isOf(installation: Installation, platform: string, workspaceId: string): boolean {
  return installation.platform === platform && installation.workspaceId === workspaceId;
}
