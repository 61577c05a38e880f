import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { sample } from "../../../test/thorough.ts";
import {
  cleanVariables,
  installed,
  VERSIONS,
  type Version,
  Workspace,
} from "./support/workspace.ts";

const SAID = /\[rs-emit\] No change log is published: this is not a full build \((.*)\)\./g;

const OPTIONS = "{ url: 'https://moss.example/', previous: 'output' }";

/** What each mode is called in the line that says why nothing is published. */
const MODES: readonly (readonly [flag: string, name: string, ...versions: Version[]])[] = [
  ["--to=json", "--to=json"],
  ["--to=ndjson", "--to=ndjson", 3],
  ["--to=fs:templates", "--to=fs:templates", 4],
  ["--dryrun", "--dryrun or --ignore-initial"],
  ["--ignore-initial", "--dryrun or --ignore-initial"],
  ["--formats=md", "--formats"],
  ["--incremental", "--incremental"],
  ["--incremental=other.njk", "--incremental", 4],
];

test.concurrent.each(VERSIONS)("Eleventy %i: only a full build publishes", async (version) => {
  using workspace = siteOf(version);
  for (const [flag, name, ...versions] of sample(MODES, 4)) {
    if (versions.length > 0 && !versions.includes(version)) continue;
    const { code, out, err } = await workspace.eleventy([flag]);
    expect([flag, code, said(out + err), workspace.isPublished()]).toEqual([
      flag,
      0,
      [name],
      false,
    ]);
    if (flag.startsWith("--to=json")) expect(JSON.parse(out)).toHaveLength(2);
  }
  const quiet = await workspace.eleventy(["--dryrun", "--quiet"]);
  expect(said(quiet.out + quiet.err)).toEqual([]);
  for (const flag of ["--formats=*", "--formats=liquid,md,njk,html,11ty.js"]) {
    expect(said((await workspace.eleventy([flag])).err), flag).toEqual([]);
    expect(workspace.isPublished(), flag).toBe(true);
  }
});

test.concurrent.each(VERSIONS)(
  "Eleventy %i: serving and watching publish nothing, and say so once",
  async (version) => {
    for (const flag of ["--serve", "--watch"]) {
      using workspace = siteOf(version);
      const cmd = join(installed(version), "cmd.cjs");
      const child = spawn(process.execPath, [cmd, flag, "--port=0"], {
        cwd: workspace.site.root,
        env: cleanVariables(),
      });
      const text: string[] = [];
      const heard = (pattern: RegExp) => text.join("").match(pattern)?.length ?? 0;
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (part: string) => text.push(part));
      }
      // Eleventy says that it watches a moment before it does: an edit may have to be made again.
      const rebuilt = async (count: number, edit: (time: number) => void) => {
        for (let time = 1; heard(/Wrote/g) < count && time < 50; time++) {
          edit(time);
          await setTimeout(250);
        }
        expect(heard(/Wrote/g)).toBeGreaterThanOrEqual(count);
      };
      try {
        await rebuilt(1, () => {});
        await rebuilt(2, (time) => workspace.site.write("index.md", `Edit ${time}.`));
        await rebuilt(3, (time) => workspace.configure(OPTIONS, `// Edit ${time}.`));
      } finally {
        child.kill("SIGKILL");
        await once(child, "close");
      }
      expect(said(text.join(""))).toEqual([flag]);
      expect(workspace.isPublished()).toBe(false);
    }
  },
);

test.concurrent.each(VERSIONS)(
  "Eleventy %i: while it serves, pages show what is published",
  async (version) => {
    using workspace = siteOf(version);
    const marks = '<time data-rs-emit="updated"></time><ul data-rs-emit="changes"></ul>';
    workspace.site.write("index.md", `Home. ${marks}`).write("other.njk", `Other. ${marks}`);
    expect(await workspace.eleventy()).toMatchObject({ code: 0 });
    workspace.site.write("index.md", `My home. ${marks}`);
    expect(await workspace.eleventy()).toMatchObject({ code: 0 });
    const documents = (path: string) => readFileSync(workspace.site.path("_site", path), "utf8");
    const log = documents("changelist.xml");
    workspace.site.write("index.md", `At home. ${marks}`);
    const cmd = join(installed(version), "cmd.cjs");
    const child = spawn(process.execPath, [cmd, "--serve", "--port=0"], {
      cwd: workspace.site.root,
      env: cleanVariables(),
    });
    try {
      for (let time = 1; !documents("index.html").includes("At home") && time < 50; time++) {
        await setTimeout(250);
      }
    } finally {
      child.kill("SIGKILL");
      await once(child, "close");
    }
    expect(documents("index.html")).toMatch(
      /At home\. <time datetime="[^"]*" data-rs-emit="updated">\d{4}-\d\d-\d\d<\/time><ul data-rs-emit="changes">\n<li[\s\S]*href="\/other\/"/,
    );
    expect(documents("changelist.xml")).toBe(log);
  },
);

function siteOf(version: Version): Workspace {
  const workspace = new Workspace(version).configure(OPTIONS);
  workspace.site.write("index.md", "Home.").write("other.njk", "Other.").commit(1_700_000_000);
  return workspace;
}

function said(text: string): (string | undefined)[] {
  return [...text.matchAll(SAID)].map(([, mode]) => mode);
}
