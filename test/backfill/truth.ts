import { formatDatetime } from "@rs-emit/documents";
import { orderedTimes } from "../history/commit-times.ts";

/** A page as a reader sees it, and what is around it. */
export interface SeenPage {
  readonly own: string;
  readonly shell: string;
  /** It asks not to be listed. */
  readonly hidden: boolean;
}

/** The pages of a site by URL path, at one commit. */
export type SeenSite = ReadonlyMap<string, SeenPage>;

/** What a commit published. */
export interface Publication {
  readonly time: number;
  readonly site: SeenSite;
  /** The commit before it did not build. */
  readonly isBehindGap?: boolean;
}

/** A page as the tests write it. */
export function html({ own, shell, hidden }: SeenPage): string {
  const head = hidden ? '<meta name="robots" content="noindex">' : "";
  return `<!doctype html><html><head><title>T</title>${head}</head><body><nav>${shell}</nav><main>${own}</main></body></html>\n`;
}

/** What a page says, read without the code under test. */
export function readHtml(text: string): SeenPage {
  return {
    own: /<main>(.*)<\/main>/s.exec(text)?.[1] ?? "",
    shell: /<nav>(.*)<\/nav>/s.exec(text)?.[1] ?? "",
    hidden: text.includes("noindex"),
  };
}

/**
 * The log that followers must get, line by line, when each publication is compared with the one before:
 * `2023-11-14T22:13:20Z updated (minor) /a.html`.
 *
 * @param publications of all commits, or at times that are in order
 * @param present no change is told at a later time
 */
export function trueLog(publications: readonly Publication[], present: number): string[] {
  let before: SeenSite = new Map();
  let last = Number.NEGATIVE_INFINITY;
  const told: { time: number; lines: string[] }[] = [];
  const known = new Set<string>();
  /** Pages as they were withdrawn, while their files are there. */
  const left = new Map<string, SeenPage>();
  const times = orderedTimes(
    publications.map(({ time }) => time),
    present,
  );
  for (const [at, { site, isBehindGap }] of publications.entries()) {
    const paths = [...new Set([...before.keys(), ...site.keys()])].sort();
    const lines = paths.flatMap((path) => {
      const was = before.get(path);
      const word = wordOf(was, site.get(path), left.get(path));
      if (word === "deleted (minor)" && was !== undefined) left.set(path, was);
      else if (word !== undefined || !site.has(path)) left.delete(path);
      // A page that is new behind a gap may be as old as the gap.
      if (isBehindGap && word?.startsWith("created") && !known.has(path)) return [];
      if (word !== undefined) known.add(path);
      return word === undefined ? [] : [`${word} /${path}`];
    });
    before = site;
    if (lines.length === 0) continue;
    last = Math.max(times[at] ?? present, last + 1);
    told.push({ time: last, lines });
  }
  let latest = present;
  for (const one of told.reverse()) {
    one.time = Math.min(one.time, latest);
    latest = one.time - 1;
  }
  return told
    .reverse()
    .flatMap(({ time, lines }) => lines.map((line) => `${formatDatetime(time)} ${line}`));
}

/** A page is new when readers first get it; one that is back is minor if it says what it said. */
function wordOf(
  before: SeenPage | undefined,
  after: SeenPage | undefined,
  left: SeenPage | undefined,
): string | undefined {
  const wasListed = before !== undefined && !before.hidden;
  const isListed = after !== undefined && !after.hidden;
  if (!wasListed && !isListed) return undefined;
  if (!wasListed) return left?.own === after?.own ? "created (minor)" : "created";
  if (!isListed) return after === undefined ? "deleted" : "deleted (minor)";
  if (before.own !== after.own) return "updated";
  return before.shell === after.shell ? undefined : "updated (minor)";
}
