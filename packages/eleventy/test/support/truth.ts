import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildAnswer, BuildRequest, Job } from "./build-all.ts";
import { installed, run, type Workspace } from "./workspace.ts";

export const SITE = "https://moss.example/";

/** A page as a build wrote it. */
export interface TruePage {
  readonly hash: string;
  readonly withheld: boolean;
}

/** A commit of the first-parent line, checked out and built. */
export interface Moment {
  readonly folder: string;
  /** UTC seconds. */
  readonly time: number;
  /** By URL. */
  readonly pages: ReadonlyMap<string, TruePage>;
}

/** Checks every commit of the first-parent line out, and builds it as it would have been then. */
export async function buildHistory(workspace: Workspace): Promise<Moment[]> {
  const line = workspace.site.git("log", "--first-parent", "--reverse", "--format=%H %ct");
  const commits = line.split("\n").map((entry, position) => {
    const [commit = "", time] = entry.split(" ");
    const folder = workspace.path("at", String(position));
    if (!existsSync(folder))
      workspace.site.git("worktree", "add", "--quiet", "--detach", folder, commit);
    return { folder, time: Number(time) };
  });
  const builds = commits.map(({ folder }) => ({
    folder,
    output: "_truth",
    config: "eleventy.config.js",
    variables: {},
  }));
  const answers = await buildAll(workspace, builds);
  return commits.map(({ folder, time }, position) => ({
    folder,
    time,
    pages: pagesOf(folder, answers[position]),
  }));
}

/** Builds folders in one process, as plainly as Eleventy does it. */
export async function buildAll(
  workspace: Workspace,
  builds: readonly BuildRequest[],
): Promise<BuildAnswer[]> {
  const job: Job = { eleventy: installed(workspace.version), builds };
  const jobFile = workspace.path("job.json");
  const answerFile = workspace.path("answer.json");
  writeFileSync(jobFile, JSON.stringify(job));
  const program = fileURLToPath(new URL("build-all.ts", import.meta.url));
  const { code, out, err } = await run(workspace.folder, [program, jobFile, answerFile]);
  if (code !== 0) throw new Error(`A build failed:\n${(out + err).slice(0, 2000)}`);
  return JSON.parse(readFileSync(answerFile, "utf8"));
}

function pagesOf(folder: string, answer: BuildAnswer | undefined): Map<string, TruePage> {
  const pages = new Map<string, TruePage>();
  for (const { file, resourcesync } of answer?.pages ?? []) {
    const path = relative(join(folder, "_truth"), resolve(folder, file));
    if (!/\.html?$/.test(path) || path.startsWith("..")) continue;
    pages.set(addressOf(path), {
      hash: digest(resolve(folder, file)),
      withheld: resourcesync === false,
    });
  }
  return pages;
}

/** How a browser writes the address of a page. */
function addressOf(path: string): string {
  return new URL(path.replace(/(^|\/)index\.html$/, "$1"), SITE).href;
}

function digest(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
