import { calledFunction, evaluate, isRegExpOf, type Scope, UnknownValueError } from "./evaluate.ts";
import { MainThread } from "./main-thread.ts";
import { type Node, nodesIn } from "./syntax.ts";

/** A regular expression of a module. */
export interface FoundPattern {
  readonly path: string;
  readonly pattern: RegExp;
}

export interface FoundPatterns {
  readonly patterns: readonly FoundPattern[];
  /** Expressions that create patterns of more than constants: `src/lib/redact.ts: new RegExp(…)`. */
  readonly unknown: readonly string[];
}

/** The patterns that the main thread can run. */
export function findPatterns(thread = new MainThread()): FoundPatterns {
  const patterns = new Map<string, FoundPattern>();
  const unknown = new Set<string>();
  for (const { module, node } of thread.statements) {
    const scope = { thread, module, params: new Map() };
    const { path, text } = module;
    for (const creation of creationsIn(node, scope)) {
      const pattern = patternOf(creation, scope);
      if (pattern !== null) patterns.set(`${path} ${String(pattern)}`, { path, pattern });
      else unknown.add(`${path}: ${text.slice(creation.start as number, creation.end as number)}`);
    }
  }
  return { patterns: [...patterns.values()], unknown: [...unknown] };
}

/** Expressions that create a pattern. What a function creates of its parameters, its calls create. */
function creationsIn(node: Node, scope: Scope): readonly Node[] {
  if (node.type === "FunctionDeclaration" && isOfParameters(node, scope)) return [];
  return [...nodesIn(node)].filter((inner) => createsPattern(inner, scope));
}

function createsPattern(node: Node, scope: Scope): boolean {
  if (node.regex !== undefined || isRegExpOf(node)) return true;
  const called = node.type === "CallExpression" ? calledFunction(node, scope) : null;
  return called !== null && isRegExpOf(called.result);
}

function isOfParameters({ id }: Node, scope: Scope): boolean {
  const called = calledFunction({ type: "CallExpression", callee: id }, scope);
  return called !== null && called.params.length > 0 && isRegExpOf(called.result);
}

function patternOf(node: Node, scope: Scope): RegExp | null {
  try {
    return evaluate(node, scope) as RegExp;
  } catch (error) {
    if (error instanceof UnknownValueError) return null;
    throw error;
  }
}
