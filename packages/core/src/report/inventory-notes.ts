import { count, list, plural } from "@rs-emit/documents";
import type { Plan } from "../model/plan.ts";
import type { Inventory } from "../model/resources.ts";
import { mention, type Note, sentence, TextNote } from "../model/sentence.ts";

export function inventoryNotes(inventory: Inventory, { pages }: Pick<Plan, "pages">): Note[] {
  const { excluded, stale, unreadable, unmatched } = inventory;
  const links = pages.filter(({ isLink }) => isLink).map(({ file }) => file);
  const unfit = [...inventory.unfit, ...links];
  const notes: Note[] = [];
  if (unfit.length > 0) {
    notes.push(
      new TextNote(
        "NOT_WRITTEN_INTO",
        `What belongs into ${list(unfit)} could not all be written. A list of changes is a ul or an ol with an ` +
          "end tag; pages in UTF-16 or ISO-2022-JP, pages above 8 MiB, and links to other files are left as they are.",
      ),
    );
  }
  const outside = excluded.filter(({ reason }) => reason === "no-collection");
  if (outside.length > 0) {
    notes.push(
      new TextNote(
        "OUTSIDE",
        `${count(outside.length, "page belongs", "pages belong")} to no collection and ` +
          `${plural(outside.length, "is", "are")} not in any log: ${list(outside.map(({ file }) => file))}. ` +
          `To log ${plural(outside.length, "it", "them")} too, add a collection with the path /.`,
      ),
    );
  }
  if (stale.length > 0) {
    notes.push(
      new TextNote(
        "STALE",
        `${count(stale.length, "file was", "files were")} left over from an earlier build, and the log ` +
          `reports nothing of ${plural(stale.length, "it while it exists", "them while they exist")}: ` +
          `${list(stale.map(({ file }) => file))}. If ${plural(stale.length, "that page is", "those pages are")} ` +
          `gone, remove ${plural(stale.length, "its file", "their files")} from the output folder, but leave ` +
          "rs-emit's documents there.",
      ),
    );
  }
  for (const [reason, why] of [
    ["link-out", "are links that lead out of the folder, or to nowhere"],
    ["linked-folder", "are links to folders: copy the folders there"],
    ["not-utf-8", "have names that are not UTF-8: rename them"],
    ["newline", "are folders with a line break in their names: rename them"],
    ["url-too-long", "have addresses longer than a sitemap may hold: shorten their names"],
  ] as const) {
    const files = unreadable.filter((one) => one.reason === reason).map(({ file }) => file);
    if (files.length === 0) continue;
    notes.push(new TextNote("LEFT_OUT", `Left out, since they ${why}: ${list(files)}.`));
  }
  for (const option of ["include", "exclude"] as const) {
    const patterns = unmatched.filter((one) => one.option === option);
    if (patterns.length === 0) continue;
    const named = list(patterns.map(({ pattern }) => JSON.stringify(pattern)));
    notes.push(
      new TextNote("UNMATCHED", [
        sentence`The option ${mention(option)} names ${named}, which matches no file.`,
        "Check the spelling: patterns are relative to the output folder.",
      ]),
    );
  }
  return notes;
}

/** Names only pages that were read now: an unchanged page was named before. */
export function undecodedNote({ resources }: Inventory): Note[] {
  const pages = resources.flatMap(({ file, undecoded }) =>
    undecoded ? [{ file, undecoded }] : [],
  );
  if (pages.length === 0) return [];
  const guesses = pages.map(({ undecoded: { declared, likely = "another charset" } }) => {
    return `saved as ${likely} under charset=${declared}?`;
  });
  const [guess = ""] = guesses;
  const why = guesses.every((one) => one === guess) ? ` (${guess})` : "";
  const [them, their] = pages.length === 1 ? ["it", "its"] : ["them", "their"];
  return [
    new TextNote(
      "UNREADABLE_TEXT",
      `${count(pages.length, "page has", "pages have")} unreadable characters now${why}: ` +
        `${list(pages.flatMap(({ file }) => file ?? []))}. Such text is not quoted, and such a title not taken. Save ` +
        `${them} in the charset that ${their} meta names, or name the charset that ${plural(pages.length, "it is", "they are")} saved in.`,
    ),
  ];
}

/** A fragment that the last publication left out was named then. */
export function fragmentsNote({ excluded }: Inventory, { published }: Plan): Note[] {
  const named = published?.collections.map((one) => one.excluded) ?? [];
  const files = excluded
    .filter(({ reason }) => reason === "fragment")
    .filter(({ url }) => !named.some((pages) => pages.has(url)))
    .map(({ file }) => file);
  if (files.length === 0) return [];
  return [
    new TextNote("FRAGMENTS", [
      `${count(files.length, "file is", "files are")} not in the log, as ${plural(files.length, "a part", "parts")} of pages ` +
        `without html, head, body, title and doctype: ${list(files)}.`,
      sentence`If readers open ${plural(files.length, "it", "them")}, use the option ${mention("include")}.`,
    ]),
  ];
}

export function missingFoldersNote(folders: readonly string[]): Note[] {
  if (folders.length === 0) return [];
  const message =
    `${list(folders)} ${plural(folders.length, "was not there: its log is empty", "were not there: their logs are empty")}. ` +
    "Check the paths of your collections; they are relative to the output folder.";
  return [new TextNote("NO_FOLDER_YET", message)];
}
