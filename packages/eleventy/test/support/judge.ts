import { expect } from "vitest";
import { type Moment, SITE, type TruePage } from "./truth.ts";

/** What a log may say, in the words of `logOf`, with the importance left out where it is not known. */
export interface Expected {
  readonly must: ReadonlySet<string>;
  /** A source changed, and its page did not. */
  readonly may: ReadonlySet<string>;
}

/**
 * What a told history must say of the builds of every commit: each page that came or went, and each
 * that changed with its own source. Of sources that ever made several pages, nothing.
 */
export function toldHistory(moments: readonly Moment[]): Expected {
  const several = sourcesOfSeveral(moments);
  const must = new Set<string>();
  const may = new Set<string>();
  let before: ReadonlyMap<string, TruePage> = new Map();
  for (const { time, pages } of moments) {
    const say = (kind: string, url: string) =>
      `${datetime(time)} ${kind} /${url.slice(SITE.length)}`;
    for (const url of new Set([...before.keys(), ...pages.keys()])) {
      const [old, page] = [before.get(url), pages.get(url)];
      if ([old, page].some((one) => one !== undefined && several.has(one.source))) continue;
      const [wasSeen, isSeen] = [old?.withheld === false, page?.withheld === false];
      if (isSeen && !wasSeen) must.add(say(old ? "created (minor)" : "created", url));
      if (wasSeen && !isSeen) must.add(say(page ? "deleted (minor)" : "deleted", url));
      if (!wasSeen || !isSeen || old?.sourceHash === page?.sourceHash) continue;
      if (old?.hash === page?.hash) may.add(say("updated", url));
      else must.add(say("updated", url));
    }
    before = pages;
  }
  return { must, may };
}

/** Sources that at some time made more than one page. */
export function sourcesOfSeveral(moments: readonly Moment[]): ReadonlySet<string> {
  const several = new Set<string>();
  for (const { pages } of moments) {
    const sources = [...pages.values()].map(({ source }) => source);
    for (const source of sources) {
      if (sources.indexOf(source) !== sources.lastIndexOf(source)) several.add(source);
    }
  }
  return several;
}

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

/** Everything that must be told is, and nothing else. */
export function expectTold(log: readonly string[], { must, may }: Expected): void {
  const told = new Set(log);
  expect({
    missing: [...must].filter((entry) => !told.has(entry)),
    invented: log.filter((entry) => !must.has(entry) && !may.has(entry)),
  }).toEqual({ missing: [], invented: [] });
}
