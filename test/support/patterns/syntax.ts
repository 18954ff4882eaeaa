import { parseAst } from "rolldown/parseAst";

/** A node of a syntax tree (ESTree, with TypeScript). */
export interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

export function parseModule(text: string, path: string): readonly Node[] {
  return (parseAst(text, { lang: "ts" }, path) as unknown as { readonly body: readonly Node[] }).body;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

/** Nodes in the fields of a node, without those of types. */
export function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .filter((value) => isNode(value) && !isType(value)) as readonly Node[];
}

/** The node and all nodes in it, outermost first. */
export function* nodesIn(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesIn(child);
}

const EXPRESSIONS_WITH_TYPES = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

/** True for types and for declarations of types. */
export function isType({ type }: Node): boolean {
  return type.startsWith("TS") && !EXPRESSIONS_WITH_TYPES.has(type);
}

/** Names that a pattern of a declaration binds: `{ a, b: [c] }`. */
export function boundNames(pattern: Node): readonly string[] {
  return pattern.type === "Identifier" ? [pattern.name as string] : childrenOf(pattern).flatMap(boundNames);
}

export function nameOf(node: unknown): string {
  return (node as { readonly name: string }).name;
}
