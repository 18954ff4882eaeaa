import { type Destination, destinationKey } from "../../../domain/alert/destination.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Store } from "../../../ports/store.ts";
import { PLATFORM, parseDestination } from "../workspace.ts";

export interface WorkspaceDestinationsParts {
  readonly store: Pick<Store, "rules" | "outbox" | "people" | "purgePerson">;
  readonly clock: Clock;
  /** Starts deliveries that were on hold. */
  readonly wake: () => void;
}

/** The channels and people of a workspace while it is removed. */
export interface WorkspaceDestinations {
  /** Pauses each destination unless it is already paused for a reason that `keeps` accepts. */
  pause(teamId: string, reason: string, keeps: (current: string) => boolean): Promise<void>;
  resume(teamId: string, isOver: (reason: string) => boolean): Promise<void>;
  /** Deletes all data of the workspace's people. Rules of its channels are kept. */
  purgePeople(teamId: string): Promise<void>;
}

export function createWorkspaceDestinations({ store, clock, wake }: WorkspaceDestinationsParts): WorkspaceDestinations {
  async function destinations(teamId: string): Promise<readonly Destination[]> {
    const subscribed = (await store.rules.all()).map(({ destination }) => destination);
    const all = [...subscribed, ...(await store.people(PLATFORM))].filter((to) => isIn(teamId, to));
    return [...new Map(all.map((to) => [destinationKey(to), to])).values()];
  }

  return {
    async pause(teamId, reason, keeps) {
      for (const to of await destinations(teamId)) {
        const current = await store.outbox.pauseReason(to);
        if (current === null || !keeps(current)) await store.outbox.pause(to, reason, clock.now());
      }
    },
    async resume(teamId, isOver) {
      for (const to of await destinations(teamId)) {
        const reason = await store.outbox.pauseReason(to);
        if (reason !== null && isOver(reason)) await store.outbox.resume(to);
      }
      wake();
    },
    async purgePeople(teamId) {
      for (const person of await store.people(PLATFORM)) if (isIn(teamId, person)) await store.purgePerson(person);
    },
  };
}

function isIn(teamId: string, to: Destination): boolean {
  return to.platform === PLATFORM && parseDestination(to)?.teamId === teamId;
}
