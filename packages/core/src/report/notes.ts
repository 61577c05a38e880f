import { count, formatDatetime, list, plural } from "@rs-emit/documents";
import { groupBy } from "../model/group.ts";
import {
  ABOUT,
  ADOPTED_LIST,
  CAPABILITY_LIST,
  HEADERS,
  NOTIFICATION,
  SOURCE_DESCRIPTION,
} from "../model/layout.ts";
import { type Note, TextNote } from "../model/note.ts";
import type { KnownPast, OriginKind, Plan, UndatedReason } from "../model/plan.ts";
import type { ImportedLog } from "../model/publication.ts";
import type { Inventory } from "../model/resources.ts";
import { mention, type Sentence, sentence } from "../model/sentence.ts";
import type { Settings } from "../options/settings.ts";
import type { PublishedDocument } from "../write/staging.ts";

export function inventoryNotes(inventory: Inventory): Note[] {
  const { excluded, stale, unreadable, unmatched, unfit } = inventory;
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
          "To log the whole site, add a collection with the path /.",
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

export function planNotes(plan: Plan): Note[] {
  const { collections, past, published } = plan;
  const repaired = published?.collections.filter((one) => one.repaired) ?? [];
  const known =
    past === undefined
      ? []
      : [
          ...unreadVersionsNote(past.unreadVersions),
          ...madeOfOthersNote(past.madeOfOthers),
          ...undatedNote(past),
        ];
  return [
    ...clockNote(plan),
    ...rewordedNote(plan),
    ...repairNote(repaired.map(({ url }) => url)),
    ...rebuiltNote(published?.rebuilt ?? false),
    ...collections.flatMap(({ imported }) =>
      imported === undefined ? [] : importedNote(imported),
    ),
    ...known,
  ];
}

function rewordedNote({ reworded = 0 }: Plan): Note[] {
  if (reworded === 0) return [];
  const words =
    `${count(reworded, "page says", "pages say")} in other words what ${plural(reworded, "it", "they")} said, and followers hear of it. ` +
    "If they need not, run this once more before you upload,";
  return [
    new TextNote("REWORDED", [
      words,
      sentence`with the options ${mention("previous", "site")} and ${mention("minor")}.`,
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

const REASONS: Record<UndatedReason, string> = {
  "no-commits": "in a repository without commits",
  "no-source": "without a known source file",
  "no-time": "whose file has a time that nobody set (1970-01-01, 1980-01-01, 1985-10-26)",
  shared: "made from a file that makes other pages too (lists, tags)",
  outside: "made from a file outside the repository",
  within: "whose file is in a repository within this one whose history is not here",
  untracked: "whose file git does not track",
};

const BY_FILES = sentence`If the files' modification times are right, use the option ${mention("history", "files")}.`;

type Sentences = readonly (string | Sentence)[];

const FETCH_WITHIN = {
  within: [
    "Fetch the history of submodules before the first deploy: git submodule foreach --recursive " +
      "'git fetch --unshallow || true' (in GitHub Actions: actions/checkout with fetch-depth: 0).",
  ],
};

const CURES: Record<OriginKind, Partial<Record<UndatedReason, Sentences>>> = {
  own: {
    ...FETCH_WITHIN,
    untracked: [
      sentence`If the pages are built from files in a git repository, name the folder of those files with the option ${mention("sourceFolder")}.`,
      BY_FILES,
    ],
  },
  matched: {
    ...FETCH_WITHIN,
    "no-source": [
      "The file of a page is named by the source map, or found by its path below the source folder.",
    ],
    untracked: ["If those files should date their pages, commit them before the first deploy."],
  },
  stated: {
    ...FETCH_WITHIN,
    "no-source": [
      sentence`If such a page has a source file, name it with the option ${mention("sourceFiles")}.`,
    ],
    untracked: ["If those files should date their pages, commit them before the first deploy."],
  },
};

const FIRST_COMMIT: Sentences = ["Commit the pages, or the files they are built from.", BY_FILES];

function undatedNote({ undated: pages, history, origin }: KnownPast): Note[] {
  if (pages.length === 0) return [];
  const reasons = groupBy(pages, ({ reason }) => reason);
  const why = [...reasons].map(([reason, { length }]) => `${length} ${REASONS[reason]}`);
  const cures = [...reasons.keys()].flatMap((reason) =>
    reason === "no-commits" ? FIRST_COMMIT : (CURES[origin][reason] ?? []),
  );
  const [them, their] = pages.length === 1 ? ["it", "its"] : ["them", "their"];
  const message =
    `${count(pages.length, "page has", "pages have")} no date${history === "git" ? " in git" : ""}: ` +
    `${why.join(", ")}. The Resource List has ${them}, and the log reports ${their} next change: ` +
    `${list(pages.map(({ file }) => file))}.`;
  return [new TextNote("UNDATED", [message, ...cures])];
}

function madeOfOthersNote(pages: readonly string[]): Note[] {
  if (pages.length === 0) return [];
  const message =
    `${count(pages.length, "page is", "pages are")} made of others; only ` +
    `${plural(pages.length, "its own file's", "their own files'")} past is reported: ${list(pages)}.`;
  return [new TextNote("MADE_OF_OTHERS", message)];
}

function unreadVersionsNote(unread: number): Note[] {
  if (unread === 0) return [];
  return [
    new TextNote(
      "UNREAD_VERSIONS",
      `${count(unread, "old version is", "old versions are")} not in this clone and could not be ` +
        "fetched: whether they were hidden from readers is not known.",
    ),
  ];
}

function clockNote({ clockCorrected, time }: Plan): Note[] {
  if (!clockCorrected) return [];
  const message =
    "The clock is behind the last publication: this one is dated one second after it, " +
    `${formatDatetime(time)}.`;
  return [new TextNote("CLOCK_CORRECTED", message)];
}

function rebuiltNote(rebuilt: boolean): Note[] {
  if (!rebuilt) return [];
  const message =
    "The Source Description was missing. It was rebuilt from the Capability " +
    "Lists; entries that others wrote into it could not be restored. Many hosts and deploy tools leave " +
    "out folders that begin with a dot: let them include .well-known (GitHub Pages: a file .nojekyll, " +
    "or include-hidden-files: true).";
  return [new TextNote("DESCRIPTION_REBUILT", message)];
}

function repairNote(repaired: readonly string[]): Note[] {
  if (repaired.length === 0) return [];
  return [
    new TextNote(
      "REPAIRED",
      `The last publication was cut short. It was completed: ${list(repaired)}.`,
    ),
  ];
}

/** @param ignored whether `first` was set although something is published */
export function firstNotes(unfinished: boolean, ignored: boolean): Note[] {
  const notes: Note[] = [];
  if (unfinished) {
    const message = "The first publication had been cut short: it was started over.";
    notes.push(new TextNote("STARTED_OVER", message));
  }
  if (ignored) {
    const message = sentence`The site has been published before: the option ${mention("first")} has no effect. Leave it out.`;
    notes.push(new TextNote("FIRST_IGNORED", message));
  }
  return notes;
}

export function cleanUrlsNote(
  { site, cleanUrls, cleanUrlsGiven }: Settings,
  { resources }: Inventory,
): Note[] {
  const isConcerned = resources.some(({ file = "" }) => /(?<!^index|\/index)\.html$/.test(file));
  if (!cleanUrls || cleanUrlsGiven || !isConcerned) return [];
  const text = sentence`${new URL(site).hostname} serves about.html as /about: the log has addresses without .html. If yours have it, set the option ${mention("cleanUrls", "false")} before you upload.`;
  return [new TextNote("CLEAN_URLS", text)];
}

/** Only a host's root can have a `.well-known` folder. */
export function wellKnownNote({ site, collections, link }: Settings): Note[] {
  if (link || new URL(site).pathname === "/") return [];
  const links = collections.map(
    ({ url }) => `<link rel="resourcesync" href="${url}${CAPABILITY_LIST}">`,
  );
  const text = sentence`${site}${SOURCE_DESCRIPTION} is not at the place IFCC-0001 asks for, the root of the host. Followers find it by a link in the pages of each log: ${links.join(", ")}. The option ${mention("link")} writes it.`;
  return [new TextNote("NOT_WELL_KNOWN", text)];
}

function importedNote({ collection, entries, changes, left, documents }: ImportedLog): Note {
  const [oldest, newest] = [changes[0], changes.at(-1)];
  const times =
    oldest === undefined || newest === undefined
      ? ""
      : `, from ${formatDatetime(oldest.datetime)} to ${formatDatetime(newest.datetime)}`;
  const undated = entries.length - changes.length;
  const place = `(in ${list(documents)})`;
  const lost = `${count(left, "entry that says", "entries that say")} no change, or ${plural(left, "is", "are")} of another site, and could not be kept.`;
  if (entries.length === 0)
    return new TextNote("ADOPTED", `The log of ${collection} ${place} had ${lost}`);
  const text = [
    `The log of ${collection} goes on: it had ${count(entries.length, "entry", "entries")} that rs-emit did not write${times} ${place}. They stay, in ${ADOPTED_LIST}.xml.`,
    ...(undated === 0
      ? []
      : [
          `${undated} of them ${plural(undated, "has", "have")} no datetime: followers ignore such entries.`,
        ]),
    ...(left === 0 ? [] : [`Besides, it had ${lost}`]),
  ];
  return new TextNote("ADOPTED", text);
}

/** Descriptions that an imported log linked, where no option names one. */
export function describedAnewNote({ collections }: Plan, { whole }: Settings): Note[] {
  const replaced = collections.flatMap(({ collection, imported }) => [
    whole.describedby === undefined ? imported?.descriptions.site : undefined,
    collection.describedby === undefined ? imported?.descriptions.collection : undefined,
  ]);
  const named = new Set(replaced.filter((one) => one !== undefined));
  if (named.size === 0) return [];
  const text = [
    `The ${ABOUT} of rs-emit is linked in place of ${list([...named])}.`,
    sentence`To link ${plural(named.size, "that", "those")}, set the option ${mention("describedby")}, for the site or the collection.`,
  ];
  return [new TextNote("DESCRIBED_ANEW", text)];
}

/** These hosts take no headers from a file. */
const WITHOUT_HEADERS = /(?:^|\.)(?:neocities\.org|github\.io|gitlab\.io|codeberg\.page)$/;

/** Hosts that do not send the headers limit discovery; repeated when a Capability List has news. */
export function headersNote(
  { headers, hub, site }: Settings,
  documents: readonly PublishedDocument[],
): Note[] {
  const isNew = documents.some(
    ({ path, status }) => path.endsWith(CAPABILITY_LIST) && status === "written",
  );
  const { hostname } = new URL(site);
  const isIdle = headers && WITHOUT_HEADERS.test(hostname);
  if (!isNew || !(isIdle || (hub !== undefined && !headers))) return [];
  const lost =
    hub === undefined
      ? `Link headers do not lead followers to the log: they find it by ${SOURCE_DESCRIPTION}, or by links in your pages.`
      : `${NOTIFICATION} has no Link headers, which Change Notification asks for: followers find the hub in ` +
        "the Capability List and in the feed, and a hub that reads the headers of its topics finds nothing.";
  const cure = isIdle
    ? `${hostname} takes no headers from ${HEADERS}: leave the option out.`
    : sentence`Netlify and Cloudflare Pages take headers from a file: there, set the option ${mention("headers", "true")}.`;
  return [new TextNote("NO_HEADERS", [lost, cure])];
}
