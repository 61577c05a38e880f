import { count, list, plural } from "@rs-emit/documents";
import { groupBy } from "../model/group.ts";
import type { KnownPast, OriginKind, UndatedReason } from "../model/plan.ts";
import { mention, type Note, type Sentence, sentence, TextNote } from "../model/sentence.ts";

export function pastNotes(past: KnownPast): Note[] {
  return [
    ...unreadVersionsNote(past.unreadVersions),
    ...madeOfOthersNote(past.madeOfOthers),
    ...undatedNote(past),
  ];
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
