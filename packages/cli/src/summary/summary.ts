import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Change, CollectionResult, EmitResult, ExclusionReason } from "@rs-emit/core";
import {
  byInterest,
  CAPABILITY_LIST,
  changeRows,
  collectionName,
  columnsOf,
  count,
  cutTo,
  describeLog,
  isMinor,
  type Look,
  list,
  numeral,
  padTo,
  plural,
  printable,
  reportedAmong,
  whatHappened,
  wrap,
} from "@rs-emit/core/words";
import { asFlag } from "../flags.ts";
import { asWord, shortPath } from "../folder-name.ts";
import { builderSteps } from "./build-script.ts";

interface RunWords {
  /** How the next change is published. */
  readonly publishing?: string;
  /** The arguments of a run that is repeated after each build. */
  readonly args?: readonly string[];
  /** Shown in the headline beside what happened. */
  readonly extent?: string;
}

export function summarize(
  result: EmitResult,
  look: Look,
  verbose: boolean,
  { publishing = "run this command again", args, extent }: RunWords = {},
): string {
  const isFirst = result.first;
  if (result.status === "published" && isMinor(result) && !verbose) {
    const pages = writtenPages(result).map((line) => wrap(line, look.width));
    return [headline(result, look), ...pages, ...notes(result, look)].join("\n\n");
  }
  return [
    headline(result, look, extent),
    ...(isFirst ? [describeFirst(result, look)] : describeChanges(result, look)),
    whereabouts(result, look),
    ...(verbose ? [documentList(result, look)] : []),
    ...(isFirst || verbose ? excluded(result, look) : []),
    ...notes(result, look),
    isFirst && !result.dryRun
      ? describeNextSteps(result, look, publishing, args)
      : describeFeeds(result, look),
  ].join("\n\n");
}

function headline(result: EmitResult, look: Look, extent?: string): string {
  const what = [whatHappened(result), ...(extent === undefined ? [] : [extent])].join(" ");
  const line = look.paint("bold", wrap(what, look.width));
  if (!result.dryRun) return line;
  return `${look.paint("yellow", "A dry run: nothing was written. This is what a run would do.")}\n\n${line}`;
}

function whereabouts(result: EmitResult, look: Look): string {
  const { documents, dryRun } = result;
  const folder = shortPath(result.folder);
  const written = documents.filter(({ status }) => status === "written").length;
  const kept = documents.length - written;
  const verb = dryRun ? "would be written" : plural(written, "was written", "were written");
  const what =
    written === 0
      ? `All ${count(kept, "document")} in ${folder} stay as they are.`
      : `${count(written, "document")} ${verb} into ${folder}` +
        `${kept === 0 ? "" : `, ${count(kept, "stays as it is", "stay as they are")}`}.`;
  return wrap([what, ...writtenPages(result)].join(" "), look.width);
}

/** Where page and source are one file, the author must know that rs-emit changed it. */
function writtenPages({ pages, dryRun, first }: EmitResult): string[] {
  if (pages.length === 0) return [];
  const verb = dryRun ? "would be written" : "were written";
  const where = `${count(pages.length, "page")}: ${list(pages.map(printable))}`;
  const upload = dryRun || first ? "" : " Upload these too.";
  return [`Links, lists of changes or dates ${verb} into ${where}.${upload}`];
}

function documentList({ documents }: EmitResult, look: Look): string {
  const columns = Math.max(...documents.map(({ path }) => columnsOf(path)));
  const lines = documents.map(({ path, status, length }) => {
    const line = `  ${status.padEnd("unchanged".length)}  ${padTo(columns, printable(path))}`;
    return status === "written" ? line + size(length) : look.paint("dim", line + size(length));
  });
  return [look.paint("bold", "Documents"), ...lines].join("\n");
}

function size(length: number): string {
  return `  ${numeral(length).padStart(10)} bytes`;
}

function excluded({ excluded }: EmitResult, look: Look): string[] {
  const pages = excluded.flatMap(({ file, reason }) => {
    const why = WHY[reason];
    return why === undefined ? [] : `${file} (${why})`;
  });
  if (pages.length === 0) return [];
  return [look.paint("dim", wrap(`Not in the log: ${list(pages)}.`, look.width))];
}

const WHY: Partial<Record<ExclusionReason, string>> = {
  "not-found-page": "a page for missing addresses",
  noindex: "noindex",
  redirect: "leads elsewhere",
  option: "excluded",
  "opted-out": "opted out",
  "on-demand": "made by a server",
};

function notes({ notes }: EmitResult, look: Look): string[] {
  return notes.map((note) =>
    wrap(`Note: ${note.worded(asFlag)}`, look.width).replace(
      "Note:",
      look.paint("yellow", "Note:"),
    ),
  );
}

const MOST = 20;

function describeChanges({ collections, site }: EmitResult, look: Look): string[] {
  const isReported = reportedAmong(collections.flatMap(({ changes }) => changes));
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
    ...changeRows(changes, site, look),
    ...(hidden === 0 ? [] : [look.paint("dim", `  and ${count(hidden, more)}`)]),
  ].join("\n");
}

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
  const { collections, linked } = result;
  const tags = "Paste the tags into the <head> of the pages, or let --link do it:";
  const steps = builderSteps(result, args);
  const again = steps === undefined ? ` After each edit, ${publishing} and upload.` : "";
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
    ...seenPage(result, look),
    ...upload(result, again, look),
    ...(feeds.length === 0 ? [] : [listed("-", readers, look), ...feeds]),
  ].join("\n");
}

/** Terminals open a file's address by a click. */
function seenPage({ folder, pages }: EmitResult, look: Look): readonly string[] {
  const page = pages.find((file) => file === "index.html") ?? pages[0];
  if (page === undefined) return [];
  const address = pathToFileURL(join(folder, page)).href;
  return [listed("-", "Look at the page:", look), `     ${look.paint("cyan", address)}`];
}

function upload({ folder, site }: EmitResult, again: string, look: Look): readonly string[] {
  const all = `Upload ${shortPath(folder)}, all of it: .well-known too, which some tools leave out.${again}`;
  const [, name] = /^(.+)\.neocities\.org$/.exec(new URL(site).hostname) ?? [];
  if (name === undefined) return [listed("-", all, look)];
  const line = `npx rs-emit neocities ${name} ${asWord(shortPath(folder, "."))}`;
  return [listed("-", `${all} This line uploads it:`, look), `     ${look.paint("cyan", line)}`];
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
