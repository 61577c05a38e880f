import type { EmitResult } from "@rs-emit/core";
import type { Look } from "@rs-emit/core/words";
import {
  CAPABILITY_LIST,
  collectionName,
  columnsOf,
  count,
  cutTo,
  describeLog,
  padTo,
  printable,
  wrap,
} from "@rs-emit/core/words";
import { shortPath } from "../folder-name.ts";
import { builderSteps } from "./builder.ts";

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

/**
 * @param publishing how the next change is published
 * @param args those of this run
 */
export function describeNextSteps(
  result: EmitResult,
  look: Look,
  publishing: string,
  args: readonly string[] | undefined,
): string {
  const { collections, folder, linked } = result;
  const tags = "Paste the tags into the <head> of the pages, or let --link do it:";
  const steps = builderSteps(result, args);
  const upload =
    `Upload ${shortPath(folder)}, all of it: .well-known too, which some tools leave out.` +
    (steps === undefined ? ` After each edit, ${publishing} and upload.` : "");
  const readers = "Give your readers the address of the feed, for any feed reader:";
  const feeds = feedsOf(collections, look);
  const rows = collections.slice(0, MOST_LINKS).flatMap(tagsOf);
  return [
    look.paint("bold", "Next"),
    ...(linked
      ? []
      : [
          listed("-", tags, look),
          ...rows.map((row) => look.paint("cyan", `     ${row}`)),
          ...more(collections),
        ]),
    ...(steps === undefined
      ? []
      : [
          listed("-", steps.what, look),
          ...steps.lines.map((line) => look.paint("cyan", `     ${line}`)),
        ]),
    listed("-", upload, look),
    ...(feeds.length === 0 ? [] : [listed("-", readers, look), ...feeds]),
  ].join("\n");
}

/** Where readers find what was published; without a feed, where programs do. */
export function describeFeeds({ collections, sourceDescription }: EmitResult, look: Look): string {
  const feeds = feedsOf(collections, look);
  if (feeds.length === 0) return `Followers begin at ${look.paint("cyan", sourceDescription)}`;
  const [only = "", ...others] = feeds;
  if (others.length === 0) return `Your readers' feed: ${only.trimStart()}`;
  return ["Your readers' feeds:", ...feeds].join("\n");
}

function feedsOf(collections: EmitResult["collections"], look: Look): readonly string[] {
  const feeds = collections.slice(0, MOST_LINKS).flatMap(({ feed }) => feed ?? []);
  if (feeds.length === 0) return [];
  return [...feeds.map((feed) => `     ${look.paint("cyan", feed)}`), ...more(collections)];
}

function more(collections: EmitResult["collections"]): readonly string[] {
  const rest = collections.length - MOST_LINKS;
  return rest > 0 ? [`     and so on for ${count(rest, "more collection")}`] : [];
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
