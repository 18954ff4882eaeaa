import { createRequire } from "node:module";

/** The implementation in JavaScript: the compiled ones exist for few systems. */
process.env.RECHECK_BACKEND = "pure";

interface Parameters {
  /** `automaton` proves; without it, recheck also tries texts. */
  readonly checker?: "automaton";
  /** In milliseconds. */
  readonly timeout: number;
}

type Diagnosis =
  | { readonly status: "safe" | "unknown" }
  | {
      readonly status: "vulnerable";
      /** Names the growth: `2nd degree polynomial`. */
      readonly complexity: { readonly summary: string };
      readonly attack: {
        readonly pumps: readonly { readonly prefix: string; readonly pump: string }[];
        readonly suffix: string;
      };
    };

const require = createRequire(import.meta.url);
const { check } = require("recheck") as {
  readonly check: (source: string, flags: string, parameters: Parameters) => Promise<Diagnosis>;
};

/** Proves that a pattern takes linear time or finds how it doesn't. What takes too long to decide is unknown. */
export function recheck({ source, flags }: RegExp, parameters: Parameters): Promise<Diagnosis> {
  return check(source, flags, parameters);
}
