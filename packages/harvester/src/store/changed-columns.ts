/** The columns of a row that differ from what it was; `undefined` if none does. */
export function differences<Row extends object>(before: Row, after: Row): Partial<Row> | undefined {
  const changed: Partial<Row> = {};
  let areSome = false;
  for (const name in after) {
    if (before[name] === after[name]) continue;
    changed[name] = after[name];
    areSome = true;
  }
  return areSome ? changed : undefined;
}
