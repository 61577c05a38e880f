import type { Facts } from "@rs-emit/core/adapter";

/** What a template is filled in with. */
export interface Values {
  /** Eleventy's `page`. */
  readonly page: Facts;
  readonly data: Facts;
  /** Names whose values Eleventy computes: what the data says of them does not count. */
  readonly computed: Facts;
  filterOf(name: string): ((value: string) => unknown) | undefined;
}

const EXPRESSION = /\{\{\s*([\w.]+)((?:\s*\|\s*\w+)*)\s*\}\}/g;

/**
 * Fills in a template of the simplest kind, which Liquid and Nunjucks read alike: text, and names of
 * values with filters after them.
 *
 * @returns `undefined` for any other, and where a value is not known
 */
export function fillIn(template: string, values: Values): string | undefined {
  let isKnown = true;
  const text = template.replace(EXPRESSION, (_, name: string, filters: string) => {
    const value = filtered(valueNamed(name, values), filters, values);
    isKnown &&= value !== undefined;
    return value ?? "";
  });
  return isKnown && !/[{}]/.test(text) ? text : undefined;
}

function valueNamed(name: string, { page, data, computed }: Values): string | undefined {
  const [first = "", second, ...others] = name.split(".");
  if (others.length > 0 || (second !== undefined && first !== "page")) return undefined;
  const value = second !== undefined ? page[second] : first in computed ? undefined : data[first];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function filtered(
  value: string | undefined,
  filters: string,
  { filterOf }: Values,
): string | undefined {
  let result = value;
  for (const name of filters.match(/\w+/g) ?? []) {
    if (result === undefined) return undefined;
    result = applied(filterOf(name), result);
  }
  // Nunjucks escapes these, Liquid does not.
  return result === undefined || /[&<>"']/.test(result) ? undefined : result;
}

function applied(filter: ReturnType<Values["filterOf"]>, value: string): string | undefined {
  try {
    const result = filter?.(value);
    return typeof result === "string" ? result : undefined;
  } catch {
    return undefined;
  }
}
