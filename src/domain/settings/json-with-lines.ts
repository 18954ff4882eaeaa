import { printParseErrorCode, visit } from "jsonc-parser";
import type { LineProblem } from "./ticker-list.ts";

export type Path = readonly PropertyKey[];

export type JsonWithLines =
  | { readonly kind: "parsed"; readonly value: unknown; readonly lineOf: (path: Path) => number }
  | ({ readonly kind: "broken" } & LineProblem);

/** Limits the parser's recursion. Valid imports are nested less deeply. */
const MAX_DEPTH = 20;
const MAX_GOT_LENGTH = 40;

/** Position of a JSON value. `children` are indexed by key or position. */
interface Node {
  readonly line: number;
  readonly closing?: "]" | "}";
  readonly children: Map<PropertyKey, Node>;
  /** In an object: the key of the next value. */
  key?: string;
}

class SyntaxProblem extends Error {
  readonly problem: LineProblem;

  constructor(line: number, got: string, expected: string) {
    super(expected);
    this.problem = { line, got: got === "" ? "the end of the text" : got.slice(0, MAX_GOT_LENGTH), expected };
  }
}

/** Parses strict JSON and records the line of every value, counted from 1. The last of several duplicate keys is used. */
export function parseJsonWithLines(text: string): JsonWithLines {
  try {
    const root = locateValues(text);
    return { kind: "parsed", value: JSON.parse(text), lineOf: (path) => lineAt(root, path) };
  } catch (error) {
    if (error instanceof SyntaxProblem) return { kind: "broken", ...error.problem };
    throw error;
  }
}

function lineAt(root: Node, path: Path): number {
  let node = root;
  for (const key of path) node = node.children.get(key) ?? node;
  return node.line;
}

function locateValues(text: string): Node {
  const root: Node = { line: 1, children: new Map() };
  const openNodes: Node[] = [root];
  const currentNode = (): Node => openNodes.at(-1) ?? root;
  const add = (zeroBasedLine: number, closing?: "]" | "}"): Node => {
    const parent = currentNode();
    const node: Node = { line: zeroBasedLine + 1, children: new Map(), ...(closing && { closing }) };
    parent.children.set(parent.key ?? parent.children.size, node);
    delete parent.key;
    return node;
  };
  const begin = (zeroBasedLine: number, bracket: string): void => {
    if (openNodes.length > MAX_DEPTH + 1)
      throw new SyntaxProblem(zeroBasedLine + 1, bracket, `at most ${MAX_DEPTH} nested lists and objects`);
    openNodes.push(add(zeroBasedLine, bracket === "[" ? "]" : "}"));
  };
  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line) => begin(line, "{"),
      onArrayBegin: (_offset, _length, line) => begin(line, "["),
      onObjectEnd: () => void openNodes.pop(),
      onArrayEnd: () => void openNodes.pop(),
      onObjectProperty: (key) => {
        currentNode().key = key;
      },
      onLiteralValue: (_value, _offset, _length, line) => void add(line),
      onError: (code, offset, length, line) => {
        const expected = expectationFor(printParseErrorCode(code), currentNode());
        throw new SyntaxProblem(line + 1, text.slice(offset, offset + length), expected);
      },
    },
    { disallowComments: true },
  );
  return root.children.get(0) ?? root;
}

function expectationFor(code: string, { closing, key }: Node): string {
  switch (code) {
    case "CommaExpected":
      return `a comma or ${closing}`;
    // Reported after the end of the list or object, whose node is no longer open.
    case "CloseBraceExpected":
      return "a comma or }";
    case "CloseBracketExpected":
      return "a comma or ]";
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
