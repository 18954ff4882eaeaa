import type { Random } from "../../../support/random.ts";

/** What Slack does instead of answering as it should. */
export type Misbehaviour =
  /** HTTP 200 with `ok: false`. */
  | { readonly kind: "error"; readonly code: string; readonly extra?: Readonly<Record<string, unknown>> }
  /** Not carried out, and answered with this status. */
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "rate-limited"; readonly retryAfter: number | null }
  /** Not carried out, never answered. */
  | { readonly kind: "hang" }
  /** Not carried out, and the connection breaks. */
  | { readonly kind: "reset" }
  /** Carried out, but the answer does not arrive. */
  | { readonly kind: "stored-then"; readonly end: "reset" | "hang" | "500" | "fatal_error" }
  /** Carried out, and answered late. */
  | { readonly kind: "latency"; readonly ms: number };

export interface Fault {
  readonly does: Misbehaviour;
  /** Left out: every method. */
  readonly method?: string;
  /** The id of a channel; left out: every channel. */
  readonly channel?: string;
  /** So many calls; left out: all of them. */
  readonly times?: number;
  /** This share of the calls, by chance; left out: each. */
  readonly share?: number;
}

export interface Faults {
  /** Calls the function that it gives back to end it. */
  add(fault: Fault): () => void;
  clear(): void;
}

export interface FaultBook extends Faults {
  /** The fault that this call meets, if any. */
  meet(method: string, channel: string | undefined): Misbehaviour | null;
}

export function createFaults(random: Random): FaultBook {
  let book: { readonly fault: Fault; left: number }[] = [];
  return {
    add(fault) {
      const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
      book.push(entry);
      return () => {
        book = book.filter((other) => other !== entry);
      };
    },
    clear() {
      book = [];
    },
    meet(method, channel) {
      const met = book.find(
        ({ fault, left }) =>
          left > 0 &&
          (fault.method ?? method) === method &&
          (fault.channel === undefined || fault.channel === channel) &&
          random.chance(fault.share ?? 1),
      );
      if (!met) return null;
      met.left -= 1;
      return met.fault.does;
    },
  };
}
