/** Changes as a summary lists them, in the columns of a terminal. */
import { printable } from "@rs-emit/documents";
import type { Change } from "../model/log.ts";
import { columnsOf, cutTo, padTo } from "./columns.ts";
import { newsLine, pathOf, whatOf } from "./phrases.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

export interface Look {
  /** Columns. Infinite for a pipe. */
  readonly width: number;
  readonly paint: (style: Style, text: string) => string;
}

/** Titles are cut to leave room for paths, but not below this width. */
const NARROWEST_TITLE = 16;

export const COLOURS: Record<ReturnType<typeof whatOf>, Style> = {
  created: "green",
  updated: "cyan",
  deleted: "red",
  moved: "cyan",
};

const KIND = "  created  ";
const GAP = "  ";

/** Why followers do not hear of them. */
const MINOR: Record<Change["kind"], string> = {
  updated: "no news for readers; feeds leave these out",
  created: "listed by an option or a mark in the page",
  deleted: "no longer listed by an option or a mark in the page",
};

const GROUPS = ["updated", "created", "deleted"];

/** What is of interest first. A minor change takes one line. */
export function changeRows(changes: readonly Change[], site: string, look: Look): string[] {
  const rows = changes.toSorted(byInterest).map((change) => ({
    change,
    title: printable(change.title ?? ""),
    path: printable(pathOf(change.url, site)),
  }));
  const layOut = layoutOf(
    rows.filter(({ change }) => !change.minor),
    look.width,
  );
  let group: string | undefined;
  return rows.flatMap(({ change, title, path }) => {
    if (change.minor) {
      const heading = MINOR[change.kind];
      const begins = heading !== group;
      group = heading;
      const line = look.paint("dim", `  ${change.kind}  ${cutTo(look.width - KIND.length, path)}`);
      return begins ? [look.paint("dim", `  ${heading}:`), line] : [line];
    }
    const what = whatOf(change);
    const kind = look.paint(COLOURS[what], what.padEnd("created".length));
    return [`  ${kind}  ${layOut(title, look.paint("dim", path))}`, ...quotesBelow(change, look)];
  });
}

export function byInterest(one: Change, other: Change): number {
  return groupOf(one) - groupOf(other);
}

function groupOf({ minor, kind }: Change): number {
  return minor ? 1 + GROUPS.indexOf(kind) : 0;
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
