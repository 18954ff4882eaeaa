import { printParseErrorCode, visit } from "jsonc-parser";
import type { LineProblem } from "./ticker-list.ts";

export type Path = readonly PropertyKey[];

export type JsonWithLines =
  | { readonly kind: "parsed"; readonly value: unknown; readonly lineOf: (path: Path) => number }
  | ({ readonly kind: "broken" } & LineProblem);

/** Deeper than any valid import; bounds the parser's recursion. */
const MAX_DEPTH = 20;
const MAX_GOT_LENGTH = 40;

/** Position of a JSON value; `children` by key or index. */
interface Node {
  readonly line: number;
  readonly closing?: "]" | "}";
  readonly children: Map<PropertyKey, Node>;
  /** The key of the value that follows, in an object. */
  key?: string;
}

class SyntaxProblem extends Error {
  readonly problem: LineProblem;

  constructor(line: number, got: string, expected: string) {
    super(expected);
    this.problem = { line, got: got === "" ? "the end of the text" : got.slice(0, MAX_GOT_LENGTH), expected };
  }
}

/** Parses strict JSON and keeps the line of every value, counted from 1. Of duplicate keys, the last one counts. */
export function parseJsonWithLines(text: string): JsonWithLines {
  try {
    const root = locate(text);
    return { kind: "parsed", value: JSON.parse(text), lineOf: (path) => lineIn(root, path) };
  } catch (error) {
    if (error instanceof SyntaxProblem) return { kind: "broken", ...error.problem };
    throw error;
  }
}

function lineIn(root: Node, path: Path): number {
  let node = root;
  for (const step of path) node = node.children.get(step) ?? node;
  return node.line;
}

function locate(text: string): Node {
  const root: Node = { line: 1, children: new Map() };
  const open: Node[] = [root];
  const top = (): Node => open.at(-1) ?? root;
  const add = (zeroBasedLine: number, closing?: "]" | "}"): Node => {
    const parent = top();
    const node: Node = { line: zeroBasedLine + 1, children: new Map(), ...(closing && { closing }) };
    parent.children.set(parent.key ?? parent.children.size, node);
    delete parent.key;
    return node;
  };
  const begin = (zeroBasedLine: number, bracket: string): void => {
    if (open.length > MAX_DEPTH + 1)
      throw new SyntaxProblem(zeroBasedLine + 1, bracket, `at most ${MAX_DEPTH} nested lists and objects`);
    open.push(add(zeroBasedLine, bracket === "[" ? "]" : "}"));
  };
  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line) => begin(line, "{"),
      onArrayBegin: (_offset, _length, line) => begin(line, "["),
      onObjectEnd: () => void open.pop(),
      onArrayEnd: () => void open.pop(),
      onObjectProperty: (key) => {
        top().key = key;
      },
      onLiteralValue: (_value, _offset, _length, line) => void add(line),
      onError: (code, offset, length, line) => {
        const expected = expectedInstead(printParseErrorCode(code), top());
        throw new SyntaxProblem(line + 1, text.slice(offset, offset + length), expected);
      },
    },
    { disallowComments: true },
  );
  return root.children.get(0) ?? root;
}

function expectedInstead(code: string, { closing, key }: Node): string {
  switch (code) {
    case "CommaExpected":
    case "CloseBraceExpected":
    case "CloseBracketExpected":
      return `a comma or ${closing}`;
    case "ColonExpected":
      return "a colon";
    case "EndOfFileExpected":
      return "nothing more";
    case "UnexpectedEndOfString":
    case "InvalidEscapeCharacter":
    case "InvalidUnicode":
    case "InvalidCharacter":
      return "a string with valid escapes";
    default:
      return closing === "}" && key === undefined ? "a key within quotation marks" : "a JSON value";
  }
}
