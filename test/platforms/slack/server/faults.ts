import type { Random } from "../../../support/random.ts";

/** How a call fails. */
export type FaultEffect =
  /** HTTP 200 with `ok: false`. */
  | { readonly kind: "error"; readonly code: string; readonly extra?: Readonly<Record<string, unknown>> }
  /** Not executed; answered with this status. */
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "rate-limited"; readonly retryAfter: number | null }
  /** Not executed and never answered. */
  | { readonly kind: "hang" }
  /** Not executed; the connection is reset. */
  | { readonly kind: "reset" }
  /** Executed, but the response is lost. */
  | { readonly kind: "stored-then"; readonly end: "reset" | "hang" | "500" | "fatal_error" }
  /** Answered with status 504, and executed this much later by the server's clock. */
  | { readonly kind: "stored-later"; readonly ms: number }
  /** Executed and answered late. */
  | { readonly kind: "latency"; readonly ms: number };

export interface Fault {
  readonly effect: FaultEffect;
  /** Default: every method. */
  readonly method?: string;
  /** Channel id. Default: every channel. */
  readonly channel?: string;
  /** Matches the arguments of the call, as text. Default: any. */
  readonly contains?: RegExp;
  /** True: only calls with blocks. */
  readonly hasBlocks?: boolean;
  /** Number of affected calls. Default: all. */
  readonly times?: number;
  /** Probability per call. Default: 1. */
  readonly share?: number;
}

export interface Faults {
  /** Returns a function that ends the fault. */
  add(fault: Fault): () => void;
  clear(): void;
}

export interface FaultRegistry extends Faults {
  /** Consumes the fault of this call; returns null if there is none. */
  next(method: string, channel: string | undefined, args: Readonly<Record<string, unknown>>): FaultEffect | null;
}

export function createFaults(random: Random): FaultRegistry {
  let active: { readonly fault: Fault; left: number }[] = [];
  return {
    add(fault) {
      const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
      active.push(entry);
      return () => {
        active = active.filter((other) => other !== entry);
      };
    },
    clear() {
      active = [];
    },
    next(method, channel, args) {
      const match = active.find(
        ({ fault, left }) =>
          left > 0 &&
          (fault.method ?? method) === method &&
          (fault.channel === undefined || fault.channel === channel) &&
          (fault.hasBlocks !== true || args.blocks !== undefined) &&
          (fault.contains === undefined || fault.contains.test(JSON.stringify(args))) &&
          random.chance(fault.share ?? 1),
      );
      if (!match) return null;
      match.left -= 1;
      return match.fault.effect;
    },
  };
}
