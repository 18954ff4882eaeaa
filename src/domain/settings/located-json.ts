/** A JSON value that knows the line on which it begins, counted from 1. */
export type LocatedJson =
  | { readonly kind: "text"; readonly line: number; readonly value: string }
  | { readonly kind: "number"; readonly line: number; readonly value: number }
  | { readonly kind: "word"; readonly line: number; readonly value: boolean | null }
  | { readonly kind: "list"; readonly line: number; readonly values: readonly LocatedJson[] }
  | { readonly kind: "object"; readonly line: number; readonly entries: ReadonlyMap<string, LocatedJson> };

/** Where a text stops being JSON. */
export interface JsonBreak {
  readonly line: number;
  readonly got: string;
  readonly expected: string;
}

export type ReadLocatedJson =
  | { readonly kind: "json"; readonly value: LocatedJson }
  | { readonly kind: "broken"; readonly at: JsonBreak };

/** Nothing that we read lies deeper: a text of brackets alone must not exhaust the stack. */
const DEEPEST = 20;

const LONGEST_GOT = 40;

const BLANKS = /[ \t\r\n]*/y;
/** A string, a number, a word, or one character. */
const TOKEN =
  /"[^"\\\p{Cc}]*(?:\\[^\p{Cc}][^"\\\p{Cc}]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z]+|[^ \t\r\n]/uy;

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Reads JSON as `JSON.parse` does; of two entries with one key the last counts. */
export function readLocatedJson(text: string): ReadLocatedJson {
  const reader = new Reader(text);
  try {
    const value = reader.readValue(0);
    reader.expectEnd();
    return { kind: "json", value };
  } catch (error) {
    if (error instanceof BreakError) return { kind: "broken", at: error.at };
    throw error;
  }
}

class BreakError extends Error {
  readonly at: JsonBreak;

  constructor(at: JsonBreak) {
    super(at.expected);
    this.at = at;
  }
}

interface Token {
  readonly text: string;
  readonly line: number;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  readValue(depth: number): LocatedJson {
    const token = this.#next();
    const { text, line } = token;
    if (depth > DEEPEST) throw broken(token, `at most ${DEEPEST} lists and objects within each other`);
    if (text === "[") return { kind: "list", line, values: this.#readList(depth) };
    if (text === "{") return { kind: "object", line, entries: this.#readObject(depth) };
    if (text.length > 1 && text.startsWith('"')) return { kind: "text", line, value: readString(token) };
    if (/^-?\d/.test(text)) return { kind: "number", line, value: Number(text) };
    const word = WORDS.get(text);
    if (word === undefined) throw broken(token, "a JSON value");
    return { kind: "word", line, value: word };
  }

  expectEnd(): void {
    const token = this.#next();
    if (token.text !== "") throw broken(token, "nothing more");
  }

  #readList(depth: number): readonly LocatedJson[] {
    const values: LocatedJson[] = [];
    if (this.#takeIf("]")) return values;
    do values.push(this.readValue(depth + 1));
    while (this.#goesOn("]"));
    return values;
  }

  #readObject(depth: number): ReadonlyMap<string, LocatedJson> {
    const entries = new Map<string, LocatedJson>();
    if (this.#takeIf("}")) return entries;
    do {
      const key = this.#next();
      if (key.text.length < 2 || !key.text.startsWith('"')) throw broken(key, "a key within quotation marks");
      const colon = this.#next();
      if (colon.text !== ":") throw broken(colon, "a colon");
      entries.set(readString(key), this.readValue(depth + 1));
    } while (this.#goesOn("}"));
    return entries;
  }

  /** True after a comma, false after the end. */
  #goesOn(end: string): boolean {
    const token = this.#next();
    if (token.text !== "," && token.text !== end) throw broken(token, `a comma or ${end}`);
    return token.text === ",";
  }

  #takeIf(text: string): boolean {
    const [at, line] = [this.#at, this.#line];
    if (this.#next().text === text) return true;
    this.#at = at;
    this.#line = line;
    return false;
  }

  /** The text is empty at the end. */
  #next(): Token {
    BLANKS.lastIndex = this.#at;
    const blanks = BLANKS.exec(this.#text)?.[0] ?? "";
    this.#line += blanks.match(/\r\n|\r|\n/g)?.length ?? 0;
    TOKEN.lastIndex = this.#at + blanks.length;
    const text = TOKEN.exec(this.#text)?.[0] ?? "";
    this.#at += blanks.length + text.length;
    return { text, line: this.#line };
  }
}

function readString(token: Token): string {
  try {
    return JSON.parse(token.text) as string;
  } catch {
    throw broken(token, "a text without broken escapes");
  }
}

function broken({ text, line }: Token, expected: string): BreakError {
  return new BreakError({ line, got: text === "" ? "the end of the text" : text.slice(0, LONGEST_GOT), expected });
}
