import { type Destination, destinationKey } from "../../../domain/alert/destination.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Store } from "../../../ports/store.ts";
import { PLATFORM, parseDestination } from "../workspace.ts";

export interface WorkspaceDestinationsParts {
  readonly store: Pick<Store, "rules" | "outbox" | "people" | "purgePerson">;
  readonly clock: Clock;
  /** What was held back may go out. */
  wake(): void;
}

/** What the channels and people of a workspace asked for, while it has left. */
export interface WorkspaceDestinations {
  /** Where it is paused for one of `reasons` already, that one stays. The first of them is shown. */
  pause(teamId: string, reasons: readonly [string, ...string[]]): Promise<void>;
  resume(teamId: string, isOver: (reason: string) => boolean): Promise<void>;
  /** Deletes all that is kept of its people. Rules of channels stay. */
  forgetPeople(teamId: string): Promise<void>;
}

export function createWorkspaceDestinations(parts: WorkspaceDestinationsParts): WorkspaceDestinations {
  const { store, clock } = parts;

  async function places(teamId: string): Promise<readonly Destination[]> {
    const subscribed = (await store.rules.all()).map(({ destination }) => destination);
    const all = [...subscribed, ...(await store.people(PLATFORM))].filter((to) => isIn(teamId, to));
    return [...new Map(all.map((to) => [destinationKey(to), to])).values()];
  }

  return {
    async pause(teamId, reasons) {
      for (const to of await places(teamId)) {
        const known = await store.outbox.pauseReason(to);
        if (known === null || !reasons.includes(known)) await store.outbox.pause(to, reasons[0], clock.now());
      }
    },
    async resume(teamId, isOver) {
      for (const to of await places(teamId)) {
        const reason = await store.outbox.pauseReason(to);
        if (reason !== null && isOver(reason)) await store.outbox.resume(to);
      }
      parts.wake();
    },
    async forgetPeople(teamId) {
      for (const person of await store.people(PLATFORM)) if (isIn(teamId, person)) await store.purgePerson(person);
    },
  };
}

function isIn(teamId: string, to: Destination): boolean {
  return to.platform === PLATFORM && parseDestination(to)?.teamId === teamId;
}
