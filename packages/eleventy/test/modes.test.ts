import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
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
  for (const [flag, name, ...versions] of MODES) {
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

function siteOf(version: Version): Workspace {
  const workspace = new Workspace(version).configure(OPTIONS);
  workspace.site.write("index.md", "Home.").write("other.njk", "Other.").commit(1_700_000_000);
  return workspace;
}

function said(text: string): (string | undefined)[] {
  return [...text.matchAll(SAID)].map(([, mode]) => mode);
}
