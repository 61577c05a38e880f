import { expect, test } from "vitest";
import { sample } from "../../../test/thorough.ts";
import { entriesOf, expectNoFindings, logOf } from "../../core/test/support/site.ts";
import { writeGallery } from "./support/gallery.ts";
import { buildMany } from "./support/many.ts";
import { AstroSite, SITE, type Version } from "./support/site.ts";
import { MORE_STEPS, STEPS, type Step } from "./support/steps.ts";
import { changesBetween, type Moment, momentIn, type TrueChange } from "./support/truth.ts";

const BEGINNING = Date.parse("2024-03-01T12:00:00Z") / 1000;
const DAY = 86_400;
/** How long after its commit a state of the site is published. */
const DELAY = 3_600;

/** Pages without a source file of their own: the first publication has no dates for them. */
const UNDATED = /^\/tags\//;

const HISTORIES = sample<readonly [Version, readonly Step[]]>(
  [
    [7, STEPS],
    [5, STEPS],
    [7, [...STEPS, ...MORE_STEPS]],
  ],
  1,
);

test.each(HISTORIES)(
  "Astro %d: a site that is published at each commit logs what each build changed",
  (version, steps) => {
    using site = new AstroSite(version);
    const commits = commitHistory(site, steps);
    const publications = commits.map((commit, position) => ({
      commit,
      options: { url: SITE, previous: "output", now: publishedAt(position) },
    }));
    const published = buildMany(site, publications, momentIn);
    expectNoFindings(site.path("dist"), SITE);
    expect(logIn(site)).toEqual(continuedBy(published));
    expect(editsIn(site)).toEqual(editsOf(steps));

    // The truth is what Astro builds alone.
    if (steps === STEPS) return;
    const alone = commits.map((commit) => ({ commit }));
    expect(buildMany(site.clear(), alone, momentIn)).toEqual(published);
  },
);

/** @returns ids of the commits of the branch that is deployed, oldest first */
function commitHistory(site: AstroSite, steps: readonly Step[]): string[] {
  const { repository } = site;
  writeGallery(site);
  repository.commit(timeOf(0));
  for (const [position, { make, land }] of steps.entries()) {
    make(site);
    if (land === undefined) repository.commit(timeOf(position + 1));
    else land(site, timeOf(position + 1));
  }
  return repository.git("rev-list", "--first-parent", "--reverse", "HEAD").split("\n");
}

/** What a log of publications must say: all that changed. */
function continuedBy(moments: readonly Moment[]): string[] {
  return linesOf(moments, publishedAt, ({ path }, position) => position > 0 || !UNDATED.test(path));
}

function linesOf(
  moments: readonly Moment[],
  datetimeAt: (position: number) => string,
  isListed: (change: TrueChange, position: number) => boolean,
): string[] {
  const lines = moments.flatMap((after, position) =>
    changesBetween(moments[position - 1] ?? new Map(), after)
      .filter((change) => isListed(change, position))
      .map(({ kind, path }) => `${datetimeAt(position)} ${kind} ${path}`),
  );
  return lines.sort();
}

/** The published log, whatever is minor in it. */
function logIn(site: AstroSite): string[] {
  const lines = logOf(site.path("dist"), SITE).map((line) => line.replace(" (minor)", ""));
  return lines.sort();
}

/** When the content of pages was edited, by the published log. */
function editsIn(site: AstroSite): string[] {
  const entries = entriesOf(site.path("dist"), SITE).filter(
    ({ lastmod, metadata }) => metadata?.change === "updated" && lastmod !== metadata.datetime,
  );
  return entries.map(({ loc, lastmod }) => `${lastmod} /${loc.slice(SITE.length)}`).sort();
}

/** When the own sources of pages were committed. */
function editsOf(steps: readonly Step[]): string[] {
  const lines = steps.flatMap(({ edits = [] }, position) =>
    edits.map((path) => `${datetimeOf(position + 1)} ${path}`),
  );
  return lines.sort();
}

function timeOf(position: number): number {
  return BEGINNING + position * DAY;
}

function datetimeOf(position: number): string {
  return datetime(timeOf(position));
}

/** The changes of a first publication have the times of their commits. */
function publishedAt(position: number): string {
  return position === 0 ? datetimeOf(0) : datetime(timeOf(position) + DELAY);
}

function datetime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
