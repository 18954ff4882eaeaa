import type { Treatment } from "../domain/article/article.ts";

export const PICTURE_FONT = "DejaVu Sans, Verdana, sans-serif";

/** Colors of pictures. The page replaces them in the dark scheme, by their values (`message.css`). */
export const PICTURE_COLORS = {
  page: "#edf2f6",
  surface: "#ffffff",
  line: "#cfd9e3",
  text: "#10213a",
  muted: "#4d5f78",
  brand: "#0f5f6b",
} as const;

/** Colors of a shape and of the text in it. */
export interface ShapeColors {
  readonly fill: string;
  readonly ink: string;
}

export const TREATMENT_COLORS: Readonly<Record<Treatment, ShapeColors>> = {
  round_up: { fill: "#d9f2e3", ink: "#0c5a31" },
  round_nearest: { fill: "#dde9fb", ink: "#17458f" },
  round_down: { fill: "#fbe9cf", ink: "#77470a" },
  cash_in_lieu: { fill: "#ebe1fa", ink: "#52299a" },
};

export const NOT_STATED_COLORS: ShapeColors = { fill: "#f2f5f8", ink: PICTURE_COLORS.muted };
