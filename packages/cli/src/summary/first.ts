import { relative } from "node:path";
import type { EmitResult } from "@rs-emit/core";
import {
  CAPABILITY_LIST,
  collectionName,
  count,
  describeLog,
  printable,
} from "@rs-emit/core/words";
import type { Look } from "../terminal.ts";
import { columnsOf, cutTo, padTo, wrap } from "../wrap.ts";

const MOST_LINKS = 4;

const NARROWEST_NAME = 20;

export function describeFirst({ collections, site }: EmitResult, look: Look): string {
  const rows = collections.map((collection) => ({
    name: printable(collectionName(collection, site)),
    log: describeLog(collection),
  }));
  const longest = Math.max(...rows.map((row) => row.log.length));
  const names = Math.max(...rows.map(({ name }) => columnsOf(name)));
  const room = Math.max(NARROWEST_NAME, look.width - longest - "    ".length);
  return rows
    .map(({ name, log }) => {
      const columns = Math.min(names, room);
      return `  ${look.paint("bold", padTo(columns, cutTo(columns, name)))}  ${log}`;
    })
    .join("\n");
}

/** @param publishing how the next change is published */
export function describeNextSteps(result: EmitResult, look: Look, publishing: string): string {
  const { collections, folder, linked } = result;
  const shown = collections.slice(0, MOST_LINKS);
  const rest = collections.length - shown.length;
  const more = rest > 0 ? [`     and so on for ${count(rest, "more collection")}`] : [];
  const addresses = shown.flatMap(({ feed }) => feed ?? []);
  const paint = (line: string) => look.paint("cyan", `     ${line}`);
  const readers = "Give your readers the address of the feed, for any feed reader:";
  const tags = "Paste the tags into the <head> of the pages, or let --link do it:";
  return [
    look.paint("bold", "Next"),
    ...(addresses.length === 0
      ? []
      : [listed("-", readers, look), ...addresses.map(paint), ...more]),
    ...(linked ? [] : [listed("-", tags, look), ...shown.flatMap(tagsOf).map(paint), ...more]),
    listed(
      "-",
      `Upload ${shortPath(folder)}, all of it: .well-known too, which some tools leave out. After each ` +
        `edit, ${publishing} and upload.`,
      look,
    ),
  ].join("\n");
}

/** Feed readers and harvesters find feed and log by these tags. */
function tagsOf({ url, feed, feedTitle }: EmitResult["collections"][number]): readonly string[] {
  const { pathname } = new URL(url);
  const alternate =
    feed === undefined
      ? []
      : [
          '<link rel="alternate" type="application/atom+xml"',
          `      title="${escaped(feedTitle)}" href="${escaped(new URL(feed).pathname)}">`,
        ];
  return [
    ...alternate,
    `<link rel="resourcesync" href="${escaped(`${pathname}${CAPABILITY_LIST}`)}">`,
  ];
}

function escaped(text: string): string {
  return printable(text).replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

function listed(mark: string, text: string, { width }: Look): string {
  return wrap(text, width, "    ").replace("    ", `  ${mark} `);
}

export function shortPath(folder: string): string {
  const path = relative("", folder);
  if (path === "") return "this folder";
  return path.startsWith("..") ? folder : path;
}
