import type * as Acorn from "acorn";

/**
 * A function that only puts data together, in Liquid's notation: `(data) => `/${data.page.fileSlug}/`` is
 * `/{{ page.fileSlug }}/`.
 *
 * @returns `undefined` for any other
 */
export function plainTemplate(value: Acorn.Expression): string | undefined {
  if (value.type !== "ArrowFunctionExpression" || value.async) return undefined;
  const { params, body } = value;
  const [given, ...others] = params;
  if (given === undefined || others.length > 0 || body.type !== "TemplateLiteral") return undefined;
  const parts = body.quasis.map(({ value: { raw } }) => raw);
  if (parts.some((part) => /[{}\\]/.test(part))) return undefined;
  const names = body.expressions.map((one) => nameOfData(pathOf(one), given));
  if (names.includes(undefined)) return undefined;
  return parts.map((part, at) => (at === 0 ? part : `{{ ${names[at - 1]} }}${part}`)).join("");
}

/** What a path means where the data, or the page in it, is given as this. */
function nameOfData(path: readonly string[], given: Acorn.Pattern): string | undefined {
  const [first, ...rest] = path;
  if (given.type === "Identifier") {
    return first === given.name && rest.length > 0 ? rest.join(".") : undefined;
  }
  if (given.type !== "ObjectPattern" || first !== "page" || rest.length === 0) return undefined;
  const [property, ...others] = given.properties;
  const isPage =
    others.length === 0 &&
    property?.type === "Property" &&
    property.shorthand &&
    property.value.type === "Identifier" &&
    property.value.name === "page";
  return isPage ? path.join(".") : undefined;
}

/** The names in `a.b.c`; none for any other expression. */
function pathOf(value: Acorn.Expression | Acorn.Super): readonly string[] {
  if (value.type === "Identifier") return [value.name];
  if (value.type !== "MemberExpression" || value.computed || value.optional) return [];
  const path = pathOf(value.object);
  return path.length > 0 && value.property.type === "Identifier"
    ? [...path, value.property.name]
    : [];
}
