import type { Membership } from "../../membership.ts";

export const ONLY_PROCESS = 1;

interface ProcessDescription {
  readonly holder: string;
  /** Null if the process is no server, but a command. */
  readonly roles: readonly string[] | null;
}

/** Membership of the only process that uses the tables, whose claims and jobs no other process takes over. */
export function onlyProcess({ holder, roles }: ProcessDescription): Membership {
  return {
    id: ONLY_PROCESS,
    onLost: () => undefined,
    onBeat: () => undefined,
    mayStillSend: () => true,
    mayStillLead: () => true,
    fence: () => Promise.resolve(true),
    processes: () => Promise.resolve([{ id: ONLY_PROCESS, holder, isThis: true, roles }]),
  };
}
