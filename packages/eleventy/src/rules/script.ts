import type { Facts } from "@rs-emit/core/adapter";
import type * as Acorn from "acorn";
import { isComputed } from "./data.ts";
import { literalOf, nameOf } from "./literal.ts";
import { plainTemplate } from "./plain-template.ts";
import { parseScript, type Script } from "./syntax.ts";
import { PlainFunction, Unread, unknownFacts } from "./unread.ts";

/**
 * Reads what a script says plainly: a data file, a template, or front matter. A property whose value is
 * no literal is `Unread`; where the whole is not one object that stands there, all of it is unknown.
 */
export function readScript(text: string): Facts {
  const script = parseScript(text);
  return (script && new Reader(script).facts()) ?? unknownFacts(text);
}

/** Something that Eleventy would be given: an object, or nothing that says anything. */
type Said = Acorn.ObjectExpression | "nothing" | undefined;

class Reader {
  readonly #script: Script;
  /** Nothing else in the file can bear on what an expression gives. */
  readonly #isAlone: boolean;

  constructor(script: Script) {
    this.#script = script;
    this.#isAlone = script.others.length === 0;
  }

  /** @returns `undefined` where the script may say anything */
  facts(): Facts | undefined {
    const { main, data, others, isCertain } = this.#script;
    if (!isCertain) return undefined;
    if (main === undefined && data === undefined) return this.#declared(others);
    // Which of the two counts depends on more.
    if (data !== undefined && main !== undefined && !isFunction(main)) return undefined;
    const said = data === undefined ? saidBy(main) : returned(data);
    if (said === "nothing") return {};
    return said && this.#properties(said);
  }

  /** Front matter says what it declares. */
  #declared(statements: Script["others"]): Facts | undefined {
    const facts: Record<string, unknown> = {};
    for (const statement of statements) {
      if (statement.type !== "VariableDeclaration") {
        for (const name of namesIn(statement)) facts[name] = new Unread(this.#script.text);
        continue;
      }
      for (const { id, init } of statement.declarations) {
        if (id.type !== "Identifier" || !init) return undefined;
        const fact = this.#fact(id.name, init);
        if (fact === undefined) return undefined;
        facts[id.name] = fact;
      }
    }
    return facts;
  }

  #properties(object: Acorn.ObjectExpression): Facts | undefined {
    const facts: Record<string, unknown> = {};
    for (const property of object.properties) {
      const name = nameOf(property);
      if (name === undefined || property.type !== "Property") return undefined;
      const { value, kind, method, shorthand } = property;
      const isPlain = kind === "init" && !method && !shorthand;
      const fact = isPlain ? this.#fact(name, value) : new Unread(this.#script.text);
      if (fact === undefined) return undefined;
      facts[name] = fact;
    }
    return facts;
  }

  /** @returns `undefined` for computed data that may be of any name */
  #fact(name: string, value: Acorn.Expression): unknown {
    if (name === "pagination") return true;
    if (isComputed(name)) {
      return value.type === "ObjectExpression" ? this.#properties(value) : undefined;
    }
    const literal = literalOf(value);
    if (literal !== undefined) return literal;
    const template = name === "permalink" ? plainTemplate(value) : undefined;
    if (template !== undefined) return new PlainFunction(template);
    return new Unread(this.#isAlone ? this.#script.textOf(value) : this.#script.text);
  }
}

/** What the file's own value says: an object, a function that gives one, or a template's class. */
function saidBy(main: Script["main"]): Said {
  if (main?.type === "ClassDeclaration" || main?.type === "ClassExpression")
    return dataOfClass(main);
  const said = main && returned(main);
  if (typeof said !== "object") return said;
  const property = (name: string) => said.properties.find((one) => nameOf(one) === name);
  const data = property("data");
  // As a template's, these would be its parts; as a data file's, data.
  if (property("render") === undefined && data === undefined) return said;
  if (data === undefined || said.properties.some((one) => !isPart(nameOf(one)))) return undefined;
  return data.type === "Property" ? returned(data.value) : undefined;
}

function isPart(name: string | undefined): boolean {
  return name === "data" || name === "render";
}

/** The object that an expression is, or that a function returns whatever it is given. */
function returned(value: Acorn.AnyNode): Said {
  if (value.type === "ObjectExpression") return value;
  if (!isFunction(value) || value.generator) return undefined;
  const { body } = value;
  if (body.type !== "BlockStatement") return result(body, true);
  const last = body.body.at(-1);
  if (last?.type !== "ReturnStatement" || !last.argument) return undefined;
  return result(last.argument, body.body.length === 1);
}

function isFunction(
  value: Acorn.AnyNode,
): value is
  | Acorn.ArrowFunctionExpression
  | Acorn.FunctionExpression
  | Acorn.FunctionDeclaration
  | Acorn.AnonymousFunctionDeclaration {
  return (
    value.type === "ArrowFunctionExpression" ||
    value.type === "FunctionExpression" ||
    value.type === "FunctionDeclaration"
  );
}

function result(value: Acorn.Expression, isOnly: boolean): Said {
  if (value.type === "ObjectExpression") return isOnly ? value : undefined;
  return isText(value) ? "nothing" : undefined;
}

/** What a template renders is no data. */
function isText(value: Acorn.Expression | Acorn.PrivateIdentifier): boolean {
  if (value.type === "TemplateLiteral" || value.type === "TaggedTemplateExpression") return true;
  if (value.type === "Literal") return typeof value.value === "string";
  return value.type === "BinaryExpression" && value.operator === "+" && isText(value.left);
}

function dataOfClass({ superClass, body }: Acorn.Class): Said {
  if (superClass) return undefined;
  const methods = body.body.flatMap((one) => (one.type === "MethodDefinition" ? [one] : []));
  const names = methods.map((one) => (one.static ? undefined : nameOf(one)));
  const isPlain = names.every((name) => name !== undefined && name !== "constructor");
  if (!isPlain || methods.length < body.body.length) return undefined;
  const data = methods[names.indexOf("data")];
  return data === undefined ? "nothing" : returned(data.value);
}

function namesIn(statement: Script["others"][number]): string[] {
  if (statement.type === "ImportDeclaration")
    return statement.specifiers.map(({ local }) => local.name);
  return "id" in statement && statement.id ? [statement.id.name] : [];
}
