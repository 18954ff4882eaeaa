import { recall, remember } from "./identity.ts";

const KEY = "splitwatch.lines";
const MAX_LINES = 50;

/** The lines sent before, as a shell has them. */
export interface LineHistory {
  /** True while an old line stands in the input. */
  readonly browsing: boolean;
  add(line: string): void;
  /** `step` -1: an older line, 1: a newer one, at last what was being typed. */
  move(step: 1 | -1, typed: string): string;
  /** What is in the input is being typed now. */
  rest(): void;
}

export function createLineHistory(): LineHistory {
  const lines = rememberedLines();
  let position = lines.length;
  let draft = "";

  return {
    get browsing() {
      return position < lines.length;
    },
    add(line) {
      if (lines.at(-1) !== line) lines.push(line);
      lines.splice(0, lines.length - MAX_LINES);
      position = lines.length;
      remember(KEY, JSON.stringify(lines));
    },
    move(step, typed) {
      if (position === lines.length) draft = typed;
      position = Math.min(Math.max(position + step, 0), lines.length);
      return lines[position] ?? draft;
    },
    rest() {
      position = lines.length;
    },
  };
}

function rememberedLines(): string[] {
  try {
    const lines: unknown = JSON.parse(recall(KEY) || "[]");
    return Array.isArray(lines) ? lines.filter((line) => typeof line === "string").slice(-MAX_LINES) : [];
  } catch {
    return [];
  }
}
