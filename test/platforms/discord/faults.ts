import type { Json } from "./model.ts";

/** A failure of a request, `before` or `after` it takes effect. */
export type Fault =
  | { readonly kind: "answer"; readonly when: "before" | "after"; readonly answer: FaultyAnswer }
  | { readonly kind: "reset"; readonly when: "before" | "after" }
  | { readonly kind: "hang"; readonly when: "before" | "after" }
  /** Answered with status 504, and takes effect this much later by the server's clock. */
  | { readonly kind: "later"; readonly when: "before"; readonly ms: number };

interface FaultyAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body?: Json | string;
}

export interface FaultScope {
  /** Number of affected requests; default: all until the fault is removed. */
  readonly times?: number;
  readonly method?: string;
  readonly path?: RegExp;
  /** Matches the body of the requests, as text. */
  readonly body?: RegExp;
  /** Called for each matching request. */
  readonly chance?: () => boolean;
}

export interface Faults {
  /** Minimum duration of every request. */
  latencyMs: number;
  /** Returns a function that removes the fault. The oldest matching fault applies. */
  add(fault: Fault, scope?: FaultScope): () => void;
  clear(): void;
}

/** Faults by name. */
export const faults = {
  status: (status: number, body: Json | string = "upstream connect error"): Fault => ({
    kind: "answer",
    when: "before",
    answer: { status, body },
  }),
  refusal: (status: number, code: number, message: string): Fault => ({
    kind: "answer",
    when: "before",
    answer: { status, body: { code, message } },
  }),
  answer: (answer: FaultyAnswer): Fault => ({ kind: "answer", when: "before", answer }),
  reset: { kind: "reset", when: "before" },
  hang: { kind: "hang", when: "before" },
  storedThenReset: { kind: "reset", when: "after" },
  storedThenHang: { kind: "hang", when: "after" },
  storedThen: (status: number): Fault => ({ kind: "answer", when: "after", answer: { status, body: "bad gateway" } }),
  storedLater: (ms: number): Fault => ({ kind: "later", when: "before", ms }),
} as const satisfies Readonly<Record<string, Fault | ((...given: never[]) => Fault)>>;

interface Standing {
  readonly fault: Fault;
  readonly scope: FaultScope;
  left: number;
}

export interface FaultPicker extends Faults {
  pick(request: { readonly method: string; readonly path: string; readonly body: unknown }): Fault | null;
}

export function createFaults(): FaultPicker {
  const standing = new Set<Standing>();
  return {
    latencyMs: 0,
    add(fault, scope = {}) {
      const added: Standing = { fault, scope, left: scope.times ?? Number.POSITIVE_INFINITY };
      standing.add(added);
      return () => void standing.delete(added);
    },
    clear: () => standing.clear(),
    pick({ method, path, body }) {
      for (const each of standing) {
        const { scope } = each;
        if (each.left < 1 || (scope.method ?? method) !== method || !(scope.path?.test(path) ?? true)) continue;
        if (scope.body?.test(JSON.stringify(body)) === false) continue;
        if (scope.chance && !scope.chance()) continue;
        each.left -= 1;
        return each.fault;
      }
      return null;
    },
  };
}
