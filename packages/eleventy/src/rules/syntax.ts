import { createRequire } from "node:module";
import type * as Acorn from "acorn";

/** A script's own value, and the statements around it. */
export interface Script {
  /** What it exports as its own. */
  readonly main: Acorn.AnyNode | undefined;
  /** What it exports as `data`. */
  readonly data: Acorn.AnyNode | undefined;
  /** What it declares and imports besides. */
  readonly others: readonly Declared[];
  /** No other statement may change what is said. */
  readonly isCertain: boolean;
  /** All of it, without comments. */
  readonly text: string;
  /** Part of it, written in one way. */
  textOf(part: Span): string;
}

type Statement = Acorn.Program["body"][number];
type Span = Pick<Acorn.Node, "start" | "end">;
type Declared =
  | Acorn.ImportDeclaration
  | Acorn.VariableDeclaration
  | Acorn.FunctionDeclaration
  | Acorn.ClassDeclaration;

// Loaded when the first script is read: most builds ask for none.
const load = createRequire(import.meta.url);

/** Takes a script apart; gives `undefined` for what is none, as for TypeScript. */
export function parseScript(text: string): Script | undefined {
  const { parse }: typeof import("acorn") = load("acorn");
  // An object alone is front matter.
  const code = /^\s*\{/.test(text) ? `export default (${text}\n)` : text;
  for (const sourceType of ["module", "script"] as const) {
    const onComment: Acorn.Comment[] = [];
    try {
      return scriptOf(
        parse(code, { ecmaVersion: "latest", sourceType, onComment }),
        code,
        onComment,
      );
    } catch {
      // The other kind may do.
    }
  }
  return undefined;
}

function scriptOf({ body }: Acorn.Program, code: string, comments: Acorn.Comment[]): Script {
  const mains: Acorn.AnyNode[] = [];
  const data: Acorn.AnyNode[] = [];
  const others: Declared[] = [];
  let isKnown = true;
  for (const statement of body) {
    const main = mainOf(statement);
    const named = exported(statement);
    if (main !== undefined) mains.push(main);
    else if (named?.name === "data") data.push(named.value);
    else if (isDeclared(statement)) others.push(statement);
    else isKnown &&= named?.name === "render" || isDirective(statement);
  }
  const textOf = (part: Span) => withoutComments(code, part, comments);
  return {
    main: mains[0],
    data: data[0],
    others,
    isCertain: isKnown && mains.length < 2,
    text: textOf({ start: 0, end: code.length }),
    textOf,
  };
}

/** The value of `export default` or of `module.exports`. */
function mainOf(statement: Statement): Acorn.AnyNode | undefined {
  if (statement.type === "ExportDefaultDeclaration") return statement.declaration;
  if (statement.type !== "ExpressionStatement") return undefined;
  const { expression } = statement;
  if (expression.type !== "AssignmentExpression" || expression.operator !== "=") return undefined;
  const { left, right } = expression;
  const isModule =
    left.type === "MemberExpression" &&
    !left.computed &&
    left.object.type === "Identifier" &&
    left.object.name === "module" &&
    left.property.type === "Identifier" &&
    left.property.name === "exports";
  return isModule ? right : undefined;
}

/** What a statement exports by a name. */
function exported(statement: Statement): { name: string; value: Acorn.AnyNode } | undefined {
  if (statement.type !== "ExportNamedDeclaration" || !statement.declaration) return undefined;
  const { declaration } = statement;
  if (declaration.type !== "VariableDeclaration") {
    return { name: declaration.id.name, value: declaration };
  }
  const [first, ...others] = declaration.declarations;
  if (first?.id.type !== "Identifier" || !first.init || others.length > 0) return undefined;
  return { name: first.id.name, value: first.init };
}

function isDeclared(statement: Statement): statement is Declared {
  return (
    statement.type === "ImportDeclaration" ||
    statement.type === "VariableDeclaration" ||
    statement.type === "FunctionDeclaration" ||
    statement.type === "ClassDeclaration"
  );
}

function isDirective(statement: Statement): boolean {
  return statement.type === "ExpressionStatement" && statement.directive !== undefined;
}

/** A part of the code, written in one way. */
function withoutComments(code: string, { start, end }: Span, comments: readonly Span[]): string {
  const inside = comments.filter((one) => one.start >= start && one.end <= end);
  const starts = [start, ...inside.map((one) => one.end)];
  const ends = [...inside.map((one) => one.start), end];
  const kept = starts.map((from, position) => code.slice(from, ends[position]));
  return kept.join("").replace(/\s+/g, " ").trim();
}
