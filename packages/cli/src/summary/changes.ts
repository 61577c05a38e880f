import type { Change, CollectionResult, EmitResult } from "@rs-emit/core";
import {
  collectionName,
  count,
  isReportedElsewhere,
  newsLine,
  pathOf,
  printable,
  whatOf,
} from "@rs-emit/core/words";
import type { Look, Style } from "../terminal.ts";
import { columnsOf, cutTo, padTo } from "../wrap.ts";

const MOST = 20;

/** Titles are cut to leave room for paths, but not below this width. */
const NARROWEST_TITLE = 16;

const COLOURS: Record<ReturnType<typeof whatOf>, Style> = {
  created: "green",
  updated: "cyan",
  deleted: "red",
  moved: "cyan",
};

export function describeChanges({ collections, site }: EmitResult, look: Look): string[] {
  const urls = new Set(collections.flatMap(({ changes }) => changes.map(({ url }) => url)));
  const isReported = (change: Change) => !isReportedElsewhere(change, (url) => urls.has(url));
  const told = collections.map((one) => ({ ...one, changes: one.changes.filter(isReported) }));
  const all = told.flatMap(({ changes }) => changes);
  const shown = new Set(all.toSorted(byInterest).slice(0, MOST));
  return told
    .filter(({ changes }) => changes.length > 0)
    .map((collection) => describeCollection(collection, shown, site, look));
}

function describeCollection(
  collection: CollectionResult,
  shown: ReadonlySet<Change>,
  site: string,
  look: Look,
): string {
  const changes = collection.changes.filter((change) => shown.has(change));
  const hidden = collection.changes.length - changes.length;
  const more = changes.length === 0 ? "change" : "more change";
  return [
    look.paint("bold", printable(collectionName(collection, site))),
    ...toLines(changes, site, look),
    ...(hidden === 0 ? [] : [look.paint("dim", `  and ${count(hidden, more)}`)]),
  ].join("\n");
}

function toLines(changes: readonly Change[], site: string, look: Look): string[] {
  const rows = changes.toSorted(byInterest).map((change) => ({
    change,
    title: printable(change.title ?? ""),
    path: printable(pathOf(change.url, site)),
  }));
  const layOut = layoutOf(rows, look.width);
  let group: string | undefined;
  return rows.flatMap(({ change, title, path }) => {
    const heading = change.minor && MINOR[change.kind];
    const begins = heading !== undefined && heading !== group;
    group = heading;
    const what = whatOf(change);
    const line = change.minor
      ? look.paint("dim", `  ${change.kind}  ${layOut(title, path)}`)
      : `  ${look.paint(COLOURS[what], what.padEnd("created".length))}  ${layOut(title, look.paint("dim", path))}`;
    const lines = [line, ...quotesBelow(change, look)];
    return begins ? [look.paint("dim", `  ${heading}:`), ...lines] : lines;
  });
}

function quotesBelow(change: Change, look: Look): string[] {
  const news = newsLine(change);
  if (news === "") return [];
  const words = cutTo(look.width - KIND.length, printable(news));
  return [" ".repeat(KIND.length) + look.paint("dim", words)];
}

/** Two columns, or title above path where paths are long. */
function layoutOf(
  rows: readonly { readonly title: string; readonly path: string }[],
  width: number,
): (title: string, path: string) => string {
  const titles = Math.max(...rows.map(({ title }) => columnsOf(title)));
  const paths = Math.max(...rows.map(({ path }) => columnsOf(path)));
  const room = width - KIND.length - GAP.length - paths;
  if (titles === 0) return (_, path) => path;
  if (room >= Math.min(titles, NARROWEST_TITLE)) {
    const columns = Math.min(titles, room);
    return (title, path) => padTo(columns, cutTo(columns, title)) + GAP + path;
  }
  return (title, path) => {
    const cut = cutTo(width - KIND.length, title);
    return cut === "" ? path : `${cut}\n${" ".repeat(KIND.length)}${path}`;
  };
}

const KIND = "  created  ";
const GAP = "  ";

/** Reasons that come from a builder or an option, not from an author. */
const MINOR: Record<Change["kind"], string> = {
  updated: "nothing new to tell, so that feeds leave them out",
  created: "listed by an option or a mark in the page",
  deleted: "no longer listed by an option or a mark in the page",
};

const GROUPS = ["updated", "created", "deleted"];

function byInterest(one: Change, other: Change): number {
  return groupOf(one) - groupOf(other);
}

function groupOf({ minor, kind }: Change): number {
  return minor ? 1 + GROUPS.indexOf(kind) : 0;
}
