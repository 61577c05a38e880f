const SCHEMA_TYPE = /^[A-Za-z0-9$^+-]+\/[A-Za-z0-9$^+-]+$/;

/** The answer given last: most neighbours in a list have the same type. */
let last: { readonly type: string; readonly allowed: string | undefined } | undefined;

/**
 * A media type as the `type` attribute may hold it: without parameters, and only where the
 * framework's schema accepts the rest.
 *
 * @returns the type, or `undefined` for one the schema rejects, such as those with a dot
 */
export function schemaType(type: string): string | undefined {
  if (last?.type !== type) last = { type, allowed: allowedType(type) };
  return last.allowed;
}

function allowedType(type: string): string | undefined {
  const bare = type.split(";", 1)[0]?.trim() ?? "";
  return SCHEMA_TYPE.test(bare) ? bare : undefined;
}
