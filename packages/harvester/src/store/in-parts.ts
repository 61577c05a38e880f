/** More values at once would take much memory. */
const AT_ONCE = 5_000;

/**
 * Values in parts, in their order.
 *
 * @param most what a part has at most; one value may be larger
 * @param sizeOf what a value adds to its part
 */
export function* inParts<Value>(
  values: Iterable<Value>,
  {
    most = AT_ONCE,
    sizeOf = () => 1,
  }: { readonly most?: number; readonly sizeOf?: (value: Value) => number } = {},
): Generator<readonly Value[]> {
  let part: Value[] = [];
  let size = 0;
  for (const value of values) {
    const added = sizeOf(value);
    if (size + added > most && part.length > 0) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(value);
    size += added;
  }
  if (part.length > 0) yield part;
}
