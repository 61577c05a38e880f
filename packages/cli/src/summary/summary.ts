import type { Change, CollectionResult, EmitResult, ExclusionReason } from "@rs-emit/core";
import {
  byInterest,
  changeRows,
  collectionName,
  columnsOf,
  count,
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
import { shortPath } from "../folder-name.ts";
import { describeFeeds, describeFirst, describeNextSteps } from "./first.ts";

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
