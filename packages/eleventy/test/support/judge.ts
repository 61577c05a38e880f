import { type Moment, SITE, type TruePage } from "./truth.ts";

/**
 * What differs from build to build, when each is published: the whole truth. The first publication tells
 * when its commit was made.
 */
export function differences(
  moments: readonly Moment[],
  publishedAt: (time: number) => number,
): string[] {
  const log: string[] = [];
  let before: ReadonlyMap<string, TruePage> | undefined;
  for (const { time, pages } of moments) {
    const at = datetime(before === undefined ? time : publishedAt(time));
    const seen = new Map([...pages].filter(([, { withheld }]) => !withheld));
    for (const url of new Set([...(before?.keys() ?? []), ...seen.keys()])) {
      const [old, page] = [before?.get(url)?.hash, seen.get(url)?.hash];
      if (old === page) continue;
      const kind = old === undefined ? "created" : page === undefined ? "deleted" : "updated";
      log.push(`${at} ${kind} /${url.slice(SITE.length)}`);
    }
    before = seen;
  }
  return log;
}

function datetime(time: number): string {
  return new Date(time * 1000).toISOString().replace(".000", "");
}
