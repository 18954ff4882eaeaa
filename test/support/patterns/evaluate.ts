import type { MainThread, Module } from "./main-thread.ts";
import { isNode, type Node, nameOf } from "./syntax.ts";

/** Where an expression is evaluated. */
export interface Scope {
  readonly thread: MainThread;
  readonly module: Module;
  /** Arguments of the function whose result is evaluated. */
  readonly params: ReadonlyMap<string, unknown>;
}

/** The value of an expression depends on more than constants. */
export class UnknownValueError extends Error {}

type Evaluator = (node: Node, scope: Scope) => unknown;

const METHODS = new Set(["join", "replace", "replaceAll", "slice", "toLowerCase", "toUpperCase"]);

const EVALUATORS: Readonly<Record<string, Evaluator>> = {
  Literal: ({ value, regex }) => (isPattern(regex) ? new RegExp(regex.pattern, regex.flags) : value),
  TemplateLiteral: (node, scope) => fillTemplate(node, "cooked", scope),
  TaggedTemplateExpression: ({ tag, quasi }, scope) => {
    if (!isStringRaw(tag as Node)) throw new UnknownValueError("tag");
    return fillTemplate(quasi as Node, "raw", scope);
  },
  BinaryExpression: ({ operator, left, right }, scope) => {
    if (operator !== "+") throw new UnknownValueError("operator");
    return `${String(evaluate(left as Node, scope))}${String(evaluate(right as Node, scope))}`;
  },
  TSAsExpression: ({ expression }, scope) => evaluate(expression as Node, scope),
  ArrayExpression: ({ elements }, scope) => evaluateAll(elements as readonly Node[], scope),
  Identifier: ({ name }, scope) => evaluateName(name as string, scope),
  MemberExpression: ({ object, property, computed }, scope) => {
    if (computed === true) throw new UnknownValueError("property");
    return propertyOf(evaluate(object as Node, scope), nameOf(property));
  },
  ObjectExpression: ({ properties }, scope) =>
    Object.fromEntries(
      (properties as readonly Node[]).map(({ key, value }) => [
        (key as Node).name,
        isNode(value) ? evaluate(value, scope) : undefined,
      ]),
    ),
  NewExpression: (node, scope) => {
    if (!isRegExpOf(node)) throw new UnknownValueError("constructor");
    const [source, flags] = evaluateAll(node.arguments as readonly Node[], scope);
    return new RegExp(source as string | RegExp, flags as string | undefined);
  },
  CallExpression: (node, scope) => (isRegExpOf(node) ? EVALUATORS.NewExpression?.(node, scope) : call(node, scope)),
};

/** Evaluates an expression of constants. Throws an UnknownValueError if it isn't one. */
export function evaluate(node: Node, scope: Scope): unknown {
  const evaluator = EVALUATORS[node.type];
  if (evaluator === undefined) throw new UnknownValueError(node.type);
  return evaluator(node, scope);
}

/** True for `new RegExp(…)` and `RegExp(…)`. */
export function isRegExpOf({ type, callee }: Node): boolean {
  const isCall = type === "NewExpression" || type === "CallExpression";
  return isCall && (callee as Node).type === "Identifier" && nameOf(callee) === "RegExp";
}

/** A function that only returns the value of an expression. */
interface PlainFunction {
  readonly module: Module;
  readonly params: readonly Node[];
  readonly result: Node;
}

/** The function that a call names; null: it isn't known, or does more than return the value of an expression. */
export function calledFunction({ callee }: Node, { thread, module }: Scope): PlainFunction | null {
  const { type, name } = callee as Node;
  const found = type === "Identifier" ? thread.declarationOf(module, name as string) : null;
  if (found?.node.type !== "FunctionDeclaration") return null;
  const { body } = found.node.body as { readonly body: readonly Node[] };
  const [only] = body;
  if (body.length !== 1 || only?.type !== "ReturnStatement" || !isNode(only.argument)) return null;
  return { module: found.module, params: found.node.params as readonly Node[], result: only.argument };
}

function call(node: Node, scope: Scope): unknown {
  const callee = node.callee as Node;
  if (callee.type === "MemberExpression") return callMethod(callee, node.arguments as readonly Node[], scope);
  const called = calledFunction(node, scope);
  if (called === null) throw new UnknownValueError("function");
  const args = evaluateAll(node.arguments as readonly Node[], scope);
  const params = new Map(called.params.flatMap((param, at) => argumentOf(param, at, { args, scope })));
  return evaluate(called.result, { ...scope, module: called.module, params });
}

interface Call {
  readonly args: readonly unknown[];
  readonly scope: Scope;
}

/** The name and the value of a parameter. */
function argumentOf(param: Node, at: number, { args, scope }: Call): readonly (readonly [string, unknown])[] {
  if (param.type === "RestElement") return [[nameOf(param.argument), args.slice(at)]];
  if (param.type !== "AssignmentPattern") return [[nameOf(param), args[at]]];
  return [[nameOf(param.left), args[at] === undefined ? evaluate(param.right as Node, scope) : args[at]]];
}

function callMethod({ object, property }: Node, args: readonly Node[], scope: Scope): unknown {
  const name = nameOf(property);
  const value = evaluate(object as Node, scope);
  const method = METHODS.has(name) ? (value as Record<string, unknown>)[name] : undefined;
  if (typeof method !== "function") throw new UnknownValueError(name);
  return Reflect.apply(method, value, evaluateAll(args, scope));
}

function evaluateAll(nodes: readonly Node[], scope: Scope): readonly unknown[] {
  return nodes.flatMap((node) =>
    node.type === "SpreadElement"
      ? [...(evaluate(node.argument as Node, scope) as Iterable<unknown>)]
      : [evaluate(node, scope)],
  );
}

function evaluateName(name: string, { thread, module, params }: Scope): unknown {
  if (params.has(name)) return params.get(name);
  if (name === "undefined") return undefined;
  const found = thread.declarationOf(module, name);
  if (found?.node.kind !== "const") throw new UnknownValueError(name);
  const declarators = found.node.declarations as readonly Node[];
  const init = declarators.find(({ id }) => (id as Node).name === name)?.init;
  if (!isNode(init)) throw new UnknownValueError(name);
  return evaluate(init, { thread, module: found.module, params: new Map() });
}

function propertyOf(value: unknown, name: string): unknown {
  if (value instanceof RegExp && (name === "source" || name === "flags")) return value[name];
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) throw new UnknownValueError(name);
  return (value as Record<string, unknown>)[name];
}

function fillTemplate({ quasis, expressions }: Node, form: "cooked" | "raw", scope: Scope): string {
  const values = evaluateAll(expressions as readonly Node[], scope).map(String);
  const texts = (quasis as readonly { readonly value: Readonly<Record<"cooked" | "raw", string>> }[]).map(
    ({ value }) => value[form],
  );
  return texts.map((text, at) => text + (values[at] ?? "")).join("");
}

function isStringRaw({ type, object, property }: Node): boolean {
  return type === "MemberExpression" && (object as Node).name === "String" && (property as Node).name === "raw";
}

function isPattern(regex: unknown): regex is { readonly pattern: string; readonly flags: string } {
  return typeof regex === "object" && regex !== null;
}
