import type { TestRepository } from "../../packages/core/test/support/repository.ts";
import type { Entry } from "../model/log.ts";
import { orderedTimes } from "./commit-times.ts";

/** What a file of some commit, or of the working tree, is to a reader. */
export interface SourceVersion {
  /** What tells one version from another. */
  readonly identity: string;
  /** What browsers act on, and the page's own content; unknown of a source file. */
  readonly seen?: { readonly markup: string; readonly own: string; readonly title: string };
  readonly hidden: boolean;
}

/** Something that happened at one time: a commit of the first-parent line, or an edit since. */
export interface Moment {
  readonly time: number;
  readonly files: ReadonlyMap<string, SourceVersion>;
  readonly isUncommitted?: boolean;
}

/** The first-parent line, oldest first, looked at commit by commit: slow, and plain. */
export function firstParentLine(
  repository: TestRepository,
  read: (text: string) => SourceVersion,
): Moment[] {
  const log = repository.git("log", "--first-parent", "--reverse", "--format=%H %ct");
  return log.split("\n").map((line) => {
    const [commit = "", time] = line.split(" ");
    const files = new Map<string, SourceVersion>();
    for (const entry of repository.git("ls-tree", "-r", "-z", commit).split("\0")) {
      const [, blob, path] = /^100\d+ blob (\w+)\t(.*)$/s.exec(entry) ?? [];
      if (blob === undefined || path === undefined) continue;
      files.set(path, read(contents(repository, blob)));
    }
    return { time: Number(time), files };
  });
}

const known = new Map<string, string>();

function contents(repository: TestRepository, blob: string): string {
  const text = known.get(blob) ?? repository.git("cat-file", "blob", blob);
  known.set(blob, text);
  return text;
}

/**
 * The log that moments tell, by the design's section on time.
 *
 * @param keyOf the page a file makes, the same for all spellings of its URL
 * @param urlOf the URL of a page
 * @param nameOf what a page is called, beside all pages of that moment
 */
export function tellLog(
  moments: readonly Moment[],
  now: number,
  keyOf: (file: string) => string | undefined,
  urlOf: (key: string) => string,
  nameOf: (key: string, title: string, pages: Moment["files"]) => string = (_, title) => title,
): Entry[] {
  const log: Entry[] = [];
  let last = Number.NEGATIVE_INFINITY;
  let before = new Map<string, SourceVersion>();
  /** What was withdrawn, while its file is there. */
  const left = new Map<string, SourceVersion>();
  for (const { time, files } of inOneOrder(moments, now)) {
    const after = byPage(files, keyOf);
    const datetime = Math.max(time, last + 1);
    const changes = [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
      const change = changeOf(before.get(key), after.get(key), left.get(key));
      return change === undefined ? [] : [{ key, change }];
    });
    const isFirst = [...before.values()].every(({ hidden }) => hidden);
    const copies = new Set(isFirst ? [] : copiesAmong(changes, after, urlOf));
    for (const { key, change: found } of changes) {
      const change = copies.has(key) ? { ...found, minor: true } : found;
      if (change.kind === "deleted" && change.minor) left.set(key, before.get(key) ?? NOTHING);
      else left.delete(key);
      last = datetime;
      const { title } = change;
      const name = title === undefined ? title : nameOf(key, title, after);
      const named = name === undefined || name === title ? {} : { name };
      log.push({ url: urlOf(key), datetime, lastmod: time, ...change, ...named });
    }
    before = after;
  }
  return withoutFuture(log, now).sort(
    (one, other) =>
      one.datetime - other.datetime ||
      one.lastmod - other.lastmod ||
      (one.url < other.url ? -1 : 1),
  );
}

/** What was not committed comes after all commits, and one time of files is one moment. */
function inOneOrder(moments: readonly Moment[], now: number): readonly Moment[] {
  const committed = moments.filter(({ isUncommitted }) => !isUncommitted);
  const times = orderedTimes(
    committed.map(({ time }) => time),
    now,
  );
  const newest = times.at(-1) ?? Number.NEGATIVE_INFINITY;
  const edits = new Map<number, Moment>();
  for (const { time, files } of moments.slice(committed.length)) {
    const after = Math.min(Math.max(time, newest), now);
    edits.set(after, { time: after, files });
  }
  return [
    ...committed.map(({ files }, at) => ({ time: times[at] ?? now, files })),
    ...edits.values(),
  ];
}

/** There may be more moments than seconds are left. */
function withoutFuture(log: readonly Entry[], now: number): Entry[] {
  const times = [...new Set(log.map(({ datetime }) => datetime))].sort((one, other) => other - one);
  const moved = new Map<number, number>();
  let latest = now + 1;
  for (const time of times) {
    latest = Math.min(time, latest - 1);
    moved.set(time, latest);
  }
  return log.map((entry) => {
    return { ...entry, datetime: moved.get(entry.datetime) ?? entry.datetime };
  });
}

function byPage(
  files: ReadonlyMap<string, SourceVersion>,
  keyOf: (file: string) => string | undefined,
): Map<string, SourceVersion> {
  const pages = new Map<string, SourceVersion>();
  for (const [file, version] of files) {
    const key = keyOf(file);
    if (key !== undefined) pages.set(key, version);
  }
  return pages;
}

const NOTHING: SourceVersion = { identity: "", hidden: true };

/** New pages whose title and texts an updated page has, or a new one at a shorter address. */
function copiesAmong(
  changes: readonly { readonly key: string; readonly change: Pick<Entry, "kind"> }[],
  after: ReadonlyMap<string, SourceVersion>,
  urlOf: (key: string) => string,
): readonly string[] {
  const stay = changes
    .filter(({ change }) => change.kind !== "deleted")
    .map(({ key, change }) => ({ key, url: urlOf(key), own: after.get(key)?.seen?.own, change }));
  const isAhead = (one: string, other: string) =>
    one.length < other.length || (one.length === other.length && one < other);
  const copies = stay.filter(({ key, url, own, change }) => {
    if (change.kind !== "created" || own === undefined) return false;
    return stay.some((other) => {
      const isBetter = other.change.kind === "updated" || isAhead(other.url, url);
      return other.key !== key && other.own === own && isBetter;
    });
  });
  return copies.map(({ key }) => key);
}

/** @param left what was withdrawn before, and may be back */
function changeOf(
  before: SourceVersion | undefined,
  after: SourceVersion | undefined,
  left: SourceVersion | undefined,
): Pick<Entry, "kind" | "minor" | "title"> | undefined {
  const was = before?.hidden ? undefined : before;
  const is = after?.hidden ? undefined : after;
  if (was?.identity === is?.identity) return undefined;
  const title = titleOf(is ?? was);
  if (was === undefined) {
    const isBack = before !== undefined && left !== undefined && left.seen?.own === is?.seen?.own;
    return { kind: "created", ...(isBack ? { minor: true } : {}), ...title };
  }
  if (is === undefined) return { kind: "deleted", ...(after ? { minor: true } : {}), ...title };
  if (was.seen === undefined || is.seen === undefined) return { kind: "updated", ...title };
  if (was.seen.markup === is.seen.markup) return undefined;
  return { kind: "updated", ...(was.seen.own === is.seen.own ? { minor: true } : {}), ...title };
}

/** The title that a page had then. */
function titleOf(version: SourceVersion | undefined): Pick<Entry, "title"> {
  const title = version?.seen?.title ?? "";
  return title === "" ? {} : { title };
}

/** When each file was last changed: the evidence of a continuation. */
export function lastChanges(moments: readonly Moment[]): ReadonlyMap<string, number> {
  const changed = new Map<string, number>();
  let before: ReadonlyMap<string, SourceVersion> = new Map();
  for (const { time, files } of moments) {
    for (const [file, { identity }] of files) {
      if (before.get(file)?.identity !== identity) changed.set(file, time);
    }
    before = files;
  }
  return changed;
}
