import { describe, expect, test } from "vitest";
import { changesOfCommits } from "../src/derive/history-changes.ts";
import type { CommitEvents, PageEvent } from "../src/history/page-history.ts";

const NOW = 1000;

/**
 * An event in short: `10 +a.md v1 /a`, `20 ~a.md v2 /a hidden`, `30 -a.md /a`; of a version that was
 * read, its markup and content: `10 +a.html v1 m1 c1 /a`.
 */
function event(text: string): PageEvent {
  const [, time, sign, source = "", blob = "", markup, content, url = "", flags = ""] =
    /^(\d+) ([+~-])(\S+)(?: (v\d+)(?: (m\d+) (c\d+))?)? (\/\S*)(.*)$/.exec(text) ?? [];
  const kind = sign === "+" ? "added" : sign === "~" ? "modified" : "removed";
  return {
    url,
    source,
    kind,
    hash: blob,
    markup,
    content,
    time: Number(time),
    message: flags.includes("'") ? flags.slice(flags.indexOf("'") + 1, -1) : undefined,
    isExcluded: flags.includes("hidden"),
  };
}

/** Commits, each a list of events; what is told: `10 created /a`, with ` @8` for another lastmod. */
const CASES: Readonly<
  Record<string, readonly [readonly (readonly string[])[], readonly string[]]>
> = {
  "a page's life": [
    [["10 +a.md v1 /a"], ["20 ~a.md v2 /a"], ["30 -a.md /a"], ["40 +a.md v3 /a"]],
    ["10 created /a", "20 updated /a", "30 deleted /a", "40 created /a"],
  ],
  "one commit, several pages: by URL": [
    [["10 +b.md v1 /b", "10 +a.md v1 /a"]],
    ["10 created /a", "10 created /b"],
  ],
  "two changes of a page in one second: the later moves on": [
    [["10 +a.md v1 /a"], ["10 ~a.md v2 /a"], ["10 ~a.md v3 /a"]],
    ["10 created /a", "11 updated /a @10", "12 updated /a @10"],
  ],
  "each commit is a publication, a second after the last": [
    [["10 +a.md v1 /a"], ["10 +b.md v1 /b"], ["10 ~a.md v2 /a"], ["20 ~b.md v2 /b"]],
    ["10 created /a", "11 created /b @10", "12 updated /a @10", "20 updated /b"],
  ],
  "a commit without a change takes no second": [
    [["10 +a.md v1 /a"], ["10 ~a.md v1 /a"], ["10 +b.md v1 /b"]],
    ["10 created /a", "11 created /b @10"],
  ],
  "no seconds are left: the seconds before": [
    [["999 +a.md v1 /a"], ["2000 +b.md v1 /b"], ["3000 ~b.md v2 /b"]],
    ["998 created /a @999", "999 created /b @1000", "1000 updated /b"],
  ],
  "a source that moved within one URL is one update": [
    [["10 +a.md v1 /a"], ["20 -a.md /a", "20 +a/index.md v2 /a"]],
    ["10 created /a", "20 updated /a"],
  ],
  "a source that moved within one URL without an edit is nothing": [
    [["10 +a.md v1 /a"], ["20 -a.md /a", "20 +a/index.md v1 /a"]],
    ["10 created /a"],
  ],
  "a source that moved to another URL": [
    [["10 +a.md v1 /a"], ["20 -a.md /a", "20 +b.md v1 /b"]],
    ["10 created /a", "20 deleted /a", "20 created /b"],
  ],
  "a change of mode is nothing": [[["10 +a.md v1 /a"], ["20 ~a.md v1 /a"]], ["10 created /a"]],
  "a page that was hidden left, and came back: minor if it is the same": [
    [["10 +a.md v1 /a"], ["20 ~a.md v2 /a hidden"], ["30 ~a.md v1 /a"]],
    ["10 created /a", "20 deleted /a (minor)", "30 created /a (minor)"],
  ],
  "a page that was hidden and came back as another": [
    [["10 +a.md v1 /a"], ["20 ~a.md v2 /a hidden"], ["30 ~a.md v3 /a"]],
    ["10 created /a", "20 deleted /a (minor)", "30 created /a"],
  ],
  "a page that was hidden from the start is created when it is shown": [
    [["10 +a.md v1 /a hidden"], ["20 ~a.md v2 /a hidden"], ["30 ~a.md v3 /a"]],
    ["30 created /a"],
  ],
  "a page that was hidden and removed was never there": [
    [["10 +a.md v1 /a hidden"], ["20 -a.md /a"]],
    [],
  ],
  "a page that was shown, hidden and removed is deleted once": [
    [["10 +a.md v1 /a"], ["20 ~a.md v2 /a hidden"], ["30 -a.md /a"]],
    ["10 created /a", "20 deleted /a (minor)"],
  ],
  "a page whose URL was spelled in two ways is gone with the last": [
    [["10 +a.md v1 /a"], ["20 +b.md v2 /a"], ["30 -a.md /a"], ["40 -b.md /a"]],
    ["10 created /a", "20 updated /a", "30 updated /a", "40 deleted /a"],
  ],
  "the author's words": [
    [["10 +a.md v1 /a 'First'"], ["20 ~a.md v2 /a 'Second thoughts'"]],
    ["10 created /a 'First'", "20 updated /a 'Second thoughts'"],
  ],
  "other bytes with the same markup are nothing, from version to version": [
    [["10 +a v1 m1 c1 /a"], ["20 ~a v2 m1 c1 /a"], ["30 ~a v3 m1 c1 /a"], ["40 ~a v4 m2 c2 /a"]],
    ["10 created /a", "40 updated /a"],
  ],
  "another shell around the same content is minor": [
    [["10 +a v1 m1 c1 /a"], ["20 ~a v2 m2 c1 /a"], ["30 ~a v3 m3 c2 /a"], ["40 ~a v4 m4 c2 /a"]],
    ["10 created /a", "20 updated /a (minor)", "30 updated /a", "40 updated /a (minor)"],
  ],
  "a version that was not read is another one, unless its bytes are the same": [
    [["10 +a v1 m1 c1 /a"], ["20 ~a v2 /a"], ["30 ~a v2 /a"], ["40 ~a v3 m1 c1 /a"]],
    ["10 created /a", "20 updated /a", "40 updated /a"],
  ],
  "a page moved within one URL into another shell: minor": [
    [["10 +a.html v1 m1 c1 /a"], ["20 -a.html /a", "20 +a/index.html v2 m2 c1 /a"]],
    ["10 created /a", "20 updated /a (minor)"],
  ],
  "of two files with one URL, the greater difference counts": [
    [
      ["10 +a v1 m1 c1 /a", "10 +b v2 m2 c2 /a"],
      ["20 ~a v3 m3 c1 /a", "20 ~b v4 m2 c2 /a"],
      ["30 ~a v5 m4 c1 /a", "30 ~b v6 m6 c6 /a"],
    ],
    ["10 created /a", "20 updated /a (minor)", "30 updated /a"],
  ],
  "what a hidden version said is compared with nothing": [
    [["10 +a v1 m1 c1 /a"], ["20 ~a v2 m2 c2 /a hidden"], ["30 ~a v1 m1 c1 /a"]],
    ["10 created /a", "20 deleted /a (minor)", "30 created /a (minor)"],
  ],
  "a removal of what was never there is nothing": [[["10 -a.md /a"]], []],
};

describe("history", () => {
  test.each(Object.entries(CASES))("%s", (_, [commits, told]) => {
    const events = commits.map((commit): CommitEvents => commit.map(event));
    const collections = [{ url: "/", folder: "" }];
    const changes = changesOfCommits(events, { now: NOW, collectionOf: () => "/", collections });
    const lines = changes.map(({ url, kind, datetime, lastmod, minor, message }) => {
      const suffix = `${minor ? " (minor)" : ""}${message === undefined ? "" : ` '${message}'`}`;
      return `${datetime} ${kind} ${url}${lastmod === datetime ? "" : ` @${lastmod}`}${suffix}`;
    });
    expect(lines).toEqual(told);
  });
});
