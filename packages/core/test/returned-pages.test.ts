import { expect, test } from "vitest";
import { backfill } from "../src/backfill/index.ts";
import { emit } from "../src/emit.ts";
import { entryToChange } from "../src/model/log-attributes.ts";
import { UNFLUSHED } from "./support/disk.ts";
import { createRepository } from "./support/repository.ts";
import { entriesOf, TestSite } from "./support/site.ts";

const SITE = "https://moss.example/";
const FORMER = "https://old.example/";
const DAY = 86_400;
const FIRST = Date.UTC(2025, 0) / 1000;

/** What a page is, day by day: its text, `hidden` by noindex, a redirect to another page, or nothing. */
const STORIES: Readonly<Record<string, readonly string[]>> = {
  "same.html": ["moss", "fern", "fern hidden", "fern hidden", "fern"],
  "edited.html": ["moss", "fern", "fern hidden", "reed hidden", "reed"],
  "shown-at-once.html": ["moss", "fern", "fern hidden", "reed", "reed"],
  "twice.html": ["moss", "fern", "fern hidden", "fern", "fern hidden"],
  "gone-while-hidden.html": ["moss", "fern", "fern hidden", "", "fern"],
  "back-as-hidden.html": ["moss", "fern", "", "fern hidden", "fern"],
  "never-told.html": ["moss hidden", "fern hidden", "reed hidden", "reed", "reed"],
  "redirect.html": ["moss", "fern", "redirect same.html", "redirect same.html", "reed"],
  "here.html": ["rain", "snow", "redirect there.html", "redirect there.html", "reed"],
  "there.html": ["", "", "snow", "snow", "snow"],
};

/** Of each change: its day, and when the own content had changed, where it says so. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  "same.html": ["0 created", "1 updated", "2 deleted (minor) of 1", "4 created (minor)"],
  "edited.html": ["0 created", "1 updated", "2 deleted (minor) of 1", "4 created of 4"],
  "shown-at-once.html": [...["0 created", "1 updated", "2 deleted (minor) of 1", "3 created of 3"]],
  "twice.html": [
    ...["0 created", "1 updated", "2 deleted (minor) of 1"],
    ...["3 created (minor)", "4 deleted (minor) of 1"],
  ],
  "gone-while-hidden.html": ["0 created", "1 updated", "2 deleted (minor) of 1", "4 created"],
  "back-as-hidden.html": ["0 created", "1 updated", "2 deleted", "4 created"],
  "never-told.html": ["3 created"],
  "redirect.html": ["0 created", "1 updated", "2 deleted (minor) of 1", "4 created of 4"],
  "here.html": ["0 created", "1 updated", "2 deleted", "4 created"],
  "there.html": ["2 created"],
};

/** All words differ: such an edit is news. */
const TEXTS: Readonly<Record<string, string>> = {
  moss: "Green cushions cover the old wall",
  fern: "Yesterday we counted nine unfolding fronds",
  reed: "Birds nest between tall stalks near water",
  rain: "Drops fall on every roof tonight",
  snow: "Winter brought white silence to us all",
};

function htmlOf(state: string, path: string): string | undefined {
  const [text = "", flag] = state.split(" ");
  if (text === "") return undefined;
  const title = "<!doctype html><title>Page</title>";
  if (text === "redirect") {
    return `${title}<meta http-equiv="refresh" content="0; url=/${flag}">`;
  }
  const head = flag === "hidden" ? '<meta name="robots" content="noindex">' : "";
  const about = text === "rain" || text === "snow" ? "" : path;
  return `${title}${head}<main><p>${TEXTS[text]} ${about}</p></main>`;
}

function write(site: TestSite, day: number): string {
  const at = new Date((FIRST + day * DAY) * 1000).toISOString();
  for (const [path, states] of Object.entries(STORIES)) {
    const html = htmlOf(states[day] ?? "", path);
    if (html !== undefined) site.write(path, html, at);
    else if (site.files().has(path)) site.remove(path);
  }
  return at;
}

function toldIn(folder: string, url = SITE): Record<string, readonly string[]> {
  const told: Record<string, string[]> = {};
  for (const path of Object.keys(STORIES)) told[path] = [];
  for (const entry of entriesOf(folder, url)) {
    const change = entryToChange(entry);
    if (change === undefined) continue;
    const { kind, minor, changed, datetime } = change;
    const dayOf = (time: number) => Math.round((time - FIRST) / DAY);
    const of = changed === undefined ? "" : ` of ${dayOf(changed)}`;
    told[change.url.slice(url.length)]?.push(
      `${dayOf(datetime)} ${kind}${minor ? " (minor)" : ""}${of}`,
    );
  }
  return told;
}

test("a page that was excluded and is back: by continuations, where the site moved, from git, and by a backfill", async () => {
  using repository = createRepository();
  const folder = repository.write("public/same.html").path("public");
  const committed = new TestSite({}, {}, folder);
  const continued = new TestSite({ url: SITE, allowMassDelete: true });
  const moved = new TestSite({ url: FORMER, allowMassDelete: true });
  for (const day of [0, 1, 2, 3, 4]) {
    for (const site of [committed, continued, moved]) write(site, day);
    const at = new Date((FIRST + day * DAY) * 1000).toISOString();
    repository.commit(FIRST + day * DAY);
    await continued.publish(at);
    await moved.publish(at, day === 4 ? { url: SITE, movedFrom: FORMER } : {});
  }
  expect(toldIn(continued.folder)).toEqual(TOLD);
  expect(toldIn(moved.folder)).toEqual(TOLD);
  const environment = { clock: () => FIRST + 5 * DAY, fileSystem: UNFLUSHED };
  const options = { folder, url: SITE, anyFolder: true };
  await emit({ ...options, previous: "none" }, environment);
  expect(toldIn(folder)).toEqual(TOLD);
  repository.git("clean", "-dfqx");
  await backfill({ ...options, previous: "output" }, {}, environment);
  expect(toldIn(folder)).toEqual(TOLD);
});
