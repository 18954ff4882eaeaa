import type { Treatment } from "../domain/article/article.ts";

/** Short names of the treatments of fractional shares, for tables and pictures. */
export const TREATMENT_NAMES: Readonly<Record<Treatment, string>> = {
  round_up: "rounded up",
  round_nearest: "to nearest",
  round_down: "rounded down",
  cash_in_lieu: "paid in cash",
};

export const NOT_STATED = "not stated";
