import type { z } from "zod";
import { invalid, quoteSetting, settingOf } from "./value-schemas.ts";

/** Work that a process does; with a shared store, several processes divide it. */
export const ROLES = ["source", "poll", "deliver", "chat", "service", "web"] as const;

export type Role = (typeof ROLES)[number];

const LISTED = `${ROLES.slice(0, -1).join(", ")} and ${ROLES.at(-1)}`;

export function roles(): z.ZodType<readonly Role[]> {
  return settingOf(`a list of different roles, of ${LISTED}`, (value) => {
    if (!Array.isArray(value) || value.length === 0) return invalid();
    const unknown: unknown = value.find((role) => !ROLES.some((known) => known === role));
    if (unknown !== undefined) return invalid(`unknown role ${quoteSetting(unknown)}`);
    return new Set(value).size === value.length
      ? { value: value as readonly Role[] }
      : invalid("a role is listed twice");
  });
}

export interface RoleContext {
  /** True if several processes can use the store. */
  readonly isStoreShared: boolean;
  readonly hasSources: boolean;
  readonly hasOwnService: boolean;
  readonly hasExternalChat: boolean;
}

/** Reasons why roles have no work. */
const IDLE: Partial<
  Readonly<Record<Role, { readonly isIdle: (context: RoleContext) => boolean; readonly reason: string }>>
> = {
  source: {
    isIdle: ({ hasSources }) => !hasSources,
    reason: "source needs live sources (service.source), of which none is enabled",
  },
  chat: {
    isIdle: ({ hasExternalChat }) => !hasExternalChat,
    reason: "chat needs a chat platform, of which none is configured",
  },
  service: {
    isIdle: ({ hasOwnService }) => !hasOwnService,
    reason: "service needs the embedded data service, which SPLITS_API_URL replaces",
  },
};

/** Returns what is wrong with the roles of a process; null if they make sense. */
export function roleProblem(chosen: readonly Role[], context: RoleContext): string | null {
  const got = `roles: got [${chosen.join(", ")}], expected`;
  if (!context.isStoreShared && chosen.length < ROLES.length)
    return `${got} all roles, because only one process can use the files in DATA_DIR; remove the setting, or set DATABASE_URL`;
  const reasons = chosen.flatMap((role) => (IDLE[role]?.isIdle(context) ? IDLE[role].reason : []));
  return reasons.length < chosen.length ? null : `${got} a role with work to do: ${reasons.join("; ")}`;
}
