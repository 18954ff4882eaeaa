import { type Part, parseRegExp } from "./regexp-tree.ts";

/** A text that grows: `start`, then `pump` repeated, then `end`. */
export interface Attack {
  readonly start: string;
  readonly pump: string;
  readonly end: string;
}

/** Repetitions of fewer times can't make a match slow. */
const MIN_REPETITIONS = 8;
/** Characters of a repetition that are tried: those that most of the pattern's other parts accept. */
const TRIED_CHARACTERS = 5;
/** No pattern matches them all. */
const ENDS = ["\u0000", "x", "\n!", ""];

/** The attack as a text of at most `length` characters. */
export function attackText({ start, pump, end }: Attack, length: number): string {
  const repeated = Math.max(0, Math.floor((length - start.length - end.length) / pump.length));
  return start.slice(0, length) + pump.repeat(repeated) + end;
}

/** Attacks that begin as a match, repeat what a repetition accepts, and end so that no match is found. */
export function attacksOn(pattern: RegExp): readonly Attack[] {
  const tree = parseRegExp(pattern);
  const accepted = charactersIn(tree);
  const attacks = new Map<string, Attack>();
  const add = (start: string, pump: string): void => {
    if (pump === "") return;
    for (const end of ENDS) attacks.set(JSON.stringify([start, pump, end]), { start, pump, end });
  };
  for (const { before, part } of repetitionsIn(tree, "")) {
    for (const pump of pumpsOf(part, accepted)) {
      add(before, pump);
      add("", before + pump);
      add("", pump + before);
    }
  }
  for (const space of [" ", "\t", "\n", "\u00a0"]) add("", space);
  const sample = sampleOf(tree);
  add("", sample);
  add("", sample.slice(0, -1));
  return [...attacks.values()];
}

interface Repetition {
  /** Text that the pattern accepts before it. */
  readonly before: string;
  /** The repeated part. */
  readonly part: Part;
}

function repetitionsIn(part: Part, before: string): readonly Repetition[] {
  switch (part.kind) {
    case "characters":
      return [];
    case "choice":
      return part.parts.flatMap((each) => repetitionsIn(each, before));
    case "look":
      return repetitionsIn(part.part, before);
    case "repetition": {
      const own = part.max >= MIN_REPETITIONS ? [{ before, part: part.part }] : [];
      return [...own, ...repetitionsIn(part.part, before)];
    }
    case "sequence": {
      let text = before;
      return part.parts.flatMap((each) => {
        const found = repetitionsIn(each, text);
        text += sampleOf(each);
        return found;
      });
    }
  }
}

/** A text that the part accepts, of the fewest repetitions. */
function sampleOf(part: Part): string {
  switch (part.kind) {
    case "characters":
      return part.characters.find((character) => /[a-z]/i.test(character)) ?? part.characters[0] ?? "";
    case "choice":
      return sampleOf(part.parts[0] ?? part);
    case "look":
      return "";
    case "repetition":
      return sampleOf(part.part).repeat(part.min);
    case "sequence":
      return part.parts.map(sampleOf).join("");
  }
}

/** Texts of which a repetition accepts many. */
function pumpsOf(part: Part, accepted: ReadonlyMap<string, number>): readonly string[] {
  switch (part.kind) {
    case "characters": {
      const common = part.characters.toSorted((a, b) => (accepted.get(b) ?? 0) - (accepted.get(a) ?? 0));
      const tried = common.slice(0, TRIED_CHARACTERS);
      return [...tried, tried.slice(0, 2).join("")];
    }
    case "choice":
      return part.parts.flatMap((each) => pumpsOf(each, accepted).slice(0, 2));
    case "look":
      return [];
    case "repetition":
      return pumpsOf(part.part, accepted);
    case "sequence":
      return [sampleOf(part), ...part.parts.flatMap((each) => pumpsOf(each, accepted).slice(0, 2))];
  }
}

/** In how many parts of the pattern each character is accepted. */
function charactersIn(part: Part, counts = new Map<string, number>()): ReadonlyMap<string, number> {
  if (part.kind === "characters")
    for (const character of part.characters) counts.set(character, (counts.get(character) ?? 0) + 1);
  else for (const each of "parts" in part ? part.parts : [part.part]) charactersIn(each, counts);
  return counts;
}
