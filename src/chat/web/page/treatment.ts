import type { Treatment } from "../../../domain/article/article.ts";
import { NOT_STATED, TREATMENT_NAMES } from "../../../messages/treatment-names.ts";
import { el } from "./dom.ts";

/** Key of a treatment in filters and styles. */
export type TreatmentKey = Treatment | "not_stated";

/** Signs that distinguish the treatments without color. */
const SIGNS: Readonly<Record<TreatmentKey, string>> = {
  round_up: "▲",
  round_nearest: "◆",
  round_down: "▼",
  cash_in_lieu: "$",
  not_stated: "?",
};

export const TREATMENT_KEYS = Object.keys(SIGNS) as readonly TreatmentKey[];

export function treatmentKey(treatment: Treatment | null): TreatmentKey {
  return treatment ?? "not_stated";
}

/** `rounded up` */
export function treatmentName(key: TreatmentKey): string {
  return key === "not_stated" ? NOT_STATED : TREATMENT_NAMES[key];
}

/** The treatment's sign in its color; `text` is shown beside it. */
export function treatmentView(key: TreatmentKey, text: Node | string, className: string): HTMLElement {
  return el(
    "span",
    { class: className, "data-treatment": key },
    el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[key]),
    " ",
    text,
  );
}
