import type * as Acorn from "acorn";

/** The name of a property; `undefined` where it is computed, or means something else. */
export function nameOf(
  property: Acorn.Property | Acorn.SpreadElement | Acorn.MethodDefinition,
): string | undefined {
  if (property.type === "SpreadElement" || property.computed) return undefined;
  const { key } = property;
  const name =
    key.type === "Identifier" ? key.name : key.type === "Literal" ? key.value : undefined;
  return typeof name === "string" && name !== "__proto__" ? name : undefined;
}

/** The value of a literal, or of a list or an object of literals; `undefined` for all else. */
export function literalOf(value: Acorn.Expression | Acorn.SpreadElement | null): unknown {
  if (value?.type === "Literal") {
    const { bigint, regex } = value;
    return bigint === undefined && regex === undefined ? value.value : undefined;
  }
  if (value?.type === "TemplateLiteral") {
    return value.expressions.length === 0
      ? (value.quasis[0]?.value.cooked ?? undefined)
      : undefined;
  }
  if (value?.type === "UnaryExpression" && value.operator === "-") {
    const number = literalOf(value.argument);
    return typeof number === "number" ? -number : undefined;
  }
  if (value?.type === "ArrayExpression") {
    const items = value.elements.map(literalOf);
    return items.includes(undefined) ? undefined : items;
  }
  if (value?.type !== "ObjectExpression") return undefined;
  const entries = value.properties.map((one) => {
    const isPlain = one.type === "Property" && one.kind === "init" && !one.method;
    return [nameOf(one), isPlain ? literalOf(one.value) : undefined] as const;
  });
  return entries.flat().includes(undefined) ? undefined : Object.fromEntries(entries);
}
