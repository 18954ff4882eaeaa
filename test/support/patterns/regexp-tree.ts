/** A part of a regular expression, as far as it says which texts match. */
export type Part =
  /** One of these characters. */
  | { readonly kind: "characters"; readonly characters: readonly string[] }
  | { readonly kind: "sequence"; readonly parts: readonly Part[] }
  | { readonly kind: "choice"; readonly parts: readonly Part[] }
  | { readonly kind: "repetition"; readonly part: Part; readonly min: number; readonly max: number }
  /** Text before or after the position, which a match doesn't contain. */
  | { readonly kind: "look"; readonly part: Part };

/** The characters that stand for all others in texts. */
const CHARACTERS: readonly string[] = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).concat([
  "\t",
  "\n",
  "\r",
  "\u0000",
  "\u00a0",
  "\u2013",
  "\u2028",
  "\ufeff",
  "é",
  "中",
  "😀",
]);

const NOTHING: Part = { kind: "sequence", parts: [] };
const ESCAPED_CLASS = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|.)/sy;
const GROUP_START = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;
const POSITION = /\\[bBk1-9](?:<[^>]*>)?|[$^]/y;
const CLASS = /\[(?:\\.|[^\]\\])*\]/sy;

/** Parses the source of a regular expression. */
export function parseRegExp({ source, flags }: RegExp): Part {
  return new Parser(source, flags.replaceAll(/[gyd]/g, "")).choice();
}

class Parser {
  #at = 0;
  readonly #source: string;
  readonly #flags: string;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  choice(): Part {
    const parts = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      parts.push(this.#sequence());
    }
    return parts.length === 1 ? (parts[0] ?? NOTHING) : { kind: "choice", parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source.charAt(this.#at)))
      parts.push(this.#quantified(this.#atom()));
    return { kind: "sequence", parts };
  }

  #quantified(part: Part): Part {
    const match = this.#take(QUANTIFIER);
    if (match === null) return part;
    const [, sign, min = "0", comma, max] = match;
    if (sign === undefined) {
      const bound = comma === undefined ? Number(min) : Number(max === "" ? Number.POSITIVE_INFINITY : max);
      return { kind: "repetition", part, min: Number(min), max: bound };
    }
    return {
      kind: "repetition",
      part,
      min: sign === "+" ? 1 : 0,
      max: sign === "?" ? 1 : Number.POSITIVE_INFINITY,
    };
  }

  #atom(): Part {
    if (this.#take(POSITION) !== null) return NOTHING;
    const group = this.#take(GROUP_START);
    if (group !== null) return this.#group(group[0]);
    const [text] = this.#take(CLASS) ?? this.#take(ESCAPED_CLASS) ?? [this.#character()];
    return { kind: "characters", characters: charactersOf(text, this.#flags) };
  }

  #group(start: string): Part {
    const part = this.choice();
    this.#at += 1;
    return /[=!]$/.test(start) ? { kind: "look", part } : part;
  }

  #character(): string {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match !== null) this.#at += match[0].length;
    return match;
  }
}

function charactersOf(text: string, flags: string): readonly string[] {
  const pattern = new RegExp(`^${text}$`, flags);
  const matched = CHARACTERS.filter((character) => pattern.test(character));
  // A single character that isn't among those that stand for all.
  return matched.length > 0 || text.length > 2 ? matched : [text];
}
