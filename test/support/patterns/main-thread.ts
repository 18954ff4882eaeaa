import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT } from "../documentation.ts";
import { boundNames, childrenOf, isNode, isType, type Node, nameOf, parseModule } from "./syntax.ts";

/** What `splitwatch start` and `splitwatch service` load. */
const ENTRIES = ["src/main.ts", "src/cli/start.ts", "src/app/app.ts"];

/** Modules whose dynamic imports are those of the other subcommands. */
const DISPATCHER = "src/cli/run.ts";

/** Call whose dynamic imports the thread that reads documents loads. */
const READERS = "defineReaders";

/** Methods of definitions that only subcommands call: `splitwatch read`. */
const SUBCOMMAND_METHODS = ["readDocument"];

interface Reference {
  readonly path: string;
  /** Name of the export; `*`: all of them. */
  readonly name: string;
}

/** A module, by the names of its top level. */
export interface Module {
  readonly path: string;
  readonly text: string;
  /** Statement that declares the name. */
  readonly declared: ReadonlyMap<string, Node>;
  readonly imported: ReadonlyMap<string, Reference>;
  readonly exported: ReadonlyMap<string, string | Reference>;
  readonly exportedFrom: readonly string[];
  /** Modules that are loaded with it. */
  readonly loads: readonly string[];
  /** Statements that run when it is loaded. */
  readonly effects: readonly Node[];
}

/** A statement of a module's top level which the main thread can run. */
export interface ReachedStatement {
  readonly module: Module;
  readonly node: Node;
}

/** Finds the top-level statements that the main thread can run, by the names that they use, beginning at the entries. */
export class MainThread {
  readonly statements: ReachedStatement[] = [];
  readonly #modules = new Map<string, Module>();
  readonly #loaded = new Set<string>();
  readonly #reached = new Set<Node>();
  readonly #pending: ReachedStatement[] = [];

  constructor(entries: readonly string[] = ENTRIES) {
    for (const path of entries) this.#reach({ path, name: "*" });
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      this.statements.push(next);
      this.#follow(next.module, next.node);
    }
  }

  /** The statement that declares a name which a module uses; null: the name is a parameter, a global or of a package. */
  declarationOf(module: Module, name: string): ReachedStatement | null {
    const node = module.declared.get(name);
    if (node !== undefined) return { module, node };
    const reference = module.imported.get(name);
    return reference === undefined ? null : this.#exportOf(reference);
  }

  /** Whether the main thread can run what the module declares. */
  reaches(path: string, name: string): boolean {
    const node = this.#module(path).declared.get(name);
    return node !== undefined && this.#reached.has(node);
  }

  #exportOf({ path, name }: Reference): ReachedStatement | null {
    const module = this.#module(path);
    const exported = module.exported.get(name);
    if (typeof exported === "string") return this.declarationOf(module, exported);
    if (exported !== undefined) return this.#exportOf(exported);
    for (const from of module.exportedFrom) {
      const found = this.#exportOf({ path: from, name });
      if (found !== null) return found;
    }
    return null;
  }

  #module(path: string): Module {
    const known = this.#modules.get(path);
    if (known !== undefined) return known;
    const module = readModule(path);
    this.#modules.set(path, module);
    return module;
  }

  #load(path: string): Module {
    const module = this.#module(path);
    if (this.#loaded.has(path)) return module;
    this.#loaded.add(path);
    for (const node of module.effects) this.#add({ module, node });
    for (const loaded of module.loads) this.#load(loaded);
    return module;
  }

  #add(statement: ReachedStatement): void {
    if (this.#reached.has(statement.node)) return;
    this.#reached.add(statement.node);
    this.#pending.push(statement);
  }

  #reach(reference: Reference): void {
    const module = this.#load(reference.path);
    const names = reference.name === "*" ? [...module.exported.keys()] : [reference.name];
    for (const name of names) {
      const found = this.#exportOf({ path: module.path, name });
      if (found !== null) this.#add(found);
    }
    if (reference.name === "*") for (const from of module.exportedFrom) this.#reach({ path: from, name: "*" });
  }

  #follow(module: Module, node: Node): void {
    if (node.type === "Identifier") this.#reachName(module, node.name as string);
    if (node.type === "ImportExpression") this.#reachImport(module, node);
    if (isOutsideOfMainThread(node)) return;
    for (const child of childrenOf(node)) if (!isPropertyName(node, child)) this.#follow(module, child);
  }

  #reachName(module: Module, name: string): void {
    const node = module.declared.get(name);
    if (node !== undefined) this.#add({ module, node });
    const reference = module.imported.get(name);
    if (reference !== undefined) this.#reach(reference);
  }

  #reachImport({ path }: Module, node: Node): void {
    const target = sourceOf(node, path);
    if (target !== null && path !== DISPATCHER) this.#reach({ path: target, name: "*" });
  }
}

function isOutsideOfMainThread(node: Node): boolean {
  const named = (node.callee ?? node.key) as Node | undefined;
  if (named?.type !== "Identifier") return false;
  const name = named.name as string;
  return node.type === "CallExpression" ? name === READERS : SUBCOMMAND_METHODS.includes(name);
}

/** True for `b` of `a.b` and of `{ b: a }`, which is no use of the name. */
function isPropertyName(node: Node, child: Node): boolean {
  if (node.computed === true) return false;
  return node.type === "MemberExpression" ? child === node.property : child === node.key && child !== node.value;
}

function readModule(path: string): Module {
  const text = readFileSync(join(ROOT, path), "utf8");
  const statements = parseModule(text, path).filter((statement) => !isOfTypes(statement) && !isType(statement));
  const declared = new Map<string, Node>();
  for (const statement of statements)
    for (const name of declaredNames(declarationIn(statement))) declared.set(name, declarationIn(statement));
  const exports = statements.filter(({ type }) => type === "ExportNamedDeclaration");
  const stars = statements.filter(({ type }) => type === "ExportAllDeclaration");
  return {
    path,
    text,
    declared,
    imported: new Map(statements.filter(isImport).flatMap((statement) => importsOf(statement, path))),
    exported: new Map(exports.flatMap((statement) => exportsOf(statement, path))),
    exportedFrom: stars.flatMap((statement) => sourceOf(statement, path) ?? []),
    loads: statements.flatMap((statement) => sourceOf(statement, path) ?? []),
    effects: statements.filter(
      (statement) => !/^(?:Im|Ex)port/.test(statement.type) && declaredNames(statement).length === 0,
    ),
  };
}

function isImport({ type }: Node): boolean {
  return type === "ImportDeclaration";
}

function importsOf(statement: Node, path: string): readonly (readonly [string, Reference])[] {
  const source = sourceOf(statement, path);
  if (source === null) return [];
  return specifiersOf(statement).map(({ local, imported }) => [
    nameOf(local),
    { path: source, name: imported === undefined ? "*" : nameOf(imported) },
  ]);
}

function exportsOf(statement: Node, path: string): readonly (readonly [string, string | Reference])[] {
  const source = sourceOf(statement, path);
  const own = declaredNames(declarationIn(statement)).map((name) => [name, name] as const);
  const listed = specifiersOf(statement).map(
    ({ local, exported }) =>
      [nameOf(exported), source === null ? nameOf(local) : { path: source, name: nameOf(local) }] as const,
  );
  return [...own, ...listed];
}

function specifiersOf({ specifiers }: Node): readonly Node[] {
  return ((specifiers ?? []) as readonly Node[]).filter((specifier) => !isOfTypes(specifier));
}

/** The declaration of an export, or the statement itself. */
function declarationIn(statement: Node): Node {
  return isNode(statement.declaration) ? statement.declaration : statement;
}

function isOfTypes(node: Node): boolean {
  if (node.importKind === "type" || node.exportKind === "type") return true;
  const specifiers = (node.specifiers ?? []) as readonly Node[];
  return specifiers.length > 0 && specifiers.every(isOfTypes);
}

function declaredNames(statement: Node): readonly string[] {
  if (statement.type === "VariableDeclaration")
    return (statement.declarations as readonly Node[]).flatMap(({ id }) => boundNames(id as Node));
  const isDeclaration = statement.type === "FunctionDeclaration" || statement.type === "ClassDeclaration";
  return isDeclaration ? [nameOf(statement.id)] : [];
}

/** Path of the module that a statement or expression imports from; null: none, or a package. */
function sourceOf({ source }: Node, path: string): string | null {
  const specifier = isNode(source) ? source.value : null;
  if (typeof specifier !== "string" || !specifier.startsWith(".")) return null;
  return posix.join(posix.dirname(path), specifier);
}
