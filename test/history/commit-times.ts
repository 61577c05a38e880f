/**
 * The times of a line of commits in order, by docs/history.md: slow, and plain.
 *
 * @param times oldest first
 */
export function orderedTimes(times: readonly number[], present: number): number[] {
  const chains: number[][] = [];
  for (const [at, time] of times.entries()) {
    if (time > present) continue;
    const before = chains.filter((chain) => (times[chain.at(-1) ?? at] ?? 0) <= time);
    chains.push([...longest(before, (chain) => times[chain.at(-1) ?? 0] ?? 0), at]);
  }
  const kept = longest(chains, (chain) => -(times[chain.at(-1) ?? 0] ?? 0));
  const [first = 0] = kept;
  const ordered: number[] = [];
  for (const [at, time] of times.entries()) {
    const isNewer = time > present && kept.every((one) => one < at);
    const before = ordered.at(-1);
    if (kept.includes(at)) ordered.push(time);
    else if (isNewer) ordered.push(present);
    else if (at > first) ordered.push(before ?? present);
    // What stands before the first that is in order ends a second before it.
    else ordered.push((times[first] ?? present) - (first - at));
  }
  return ordered;
}

/** The longest chain; of several the one whose end has the greatest value. */
function longest(
  chains: readonly (readonly number[])[],
  rankOf: (chain: readonly number[]) => number,
): readonly number[] {
  const [best = []] = chains.toSorted(
    (one, other) => other.length - one.length || rankOf(other) - rankOf(one),
  );
  return best;
}
