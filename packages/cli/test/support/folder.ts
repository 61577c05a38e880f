import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { devNull, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

const ROOT = mkdtempSync(join(tmpdir(), "rs-emit-cli-"));
// Another user's command must reach its site.
chmodSync(ROOT, 0o755);

/** A folder that goes away with the tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(ROOT, "folder-"));
  chmodSync(folder, 0o755);
  return folder;
}

/** A folder with these files in it. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  write(folder, files);
  return folder;
}

export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/** A page with a shell around it. */
export function page(title: string, text = title, footer = "By hand"): string {
  return (
    `<!doctype html><html lang="en"><title>${title}</title><body><nav>Home</nav>` +
    `<main>${text}</main><footer>${footer}</footer></body></html>`
  );
}

/** Three pages. */
export const SITE = {
  "index.html": page("Home"),
  "moss.html": page("Moss"),
  "night/bus.html": page("Night bus"),
};

export function siteFolder(): string {
  return folderOf(SITE);
}

/** The files of a folder and their bytes; what git keeps for itself is left out. */
export function contentsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("/.git/"))
    .sort();
  return Object.fromEntries(
    files.map((file) => [relative(folder, file), readFileSync(file, "latin1")]),
  );
}

/** Runs git as on a machine where nobody configured anything, at a fixed time. */
export function git(folder: string, ...args: readonly string[]): string {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const env = {
    ...Object.fromEntries(inherited),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_SYSTEM: devNull,
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_AUTHOR_DATE: "2026-10-05T18:30:00Z",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
    GIT_COMMITTER_DATE: "2026-10-05T18:30:00Z",
  };
  return execFileSync("git", args, { cwd: folder, env, encoding: "utf8" });
}

/** Makes a repository of a folder, with everything in it committed. */
export function commitAll(folder: string): void {
  git(folder, "init", "--quiet", "--initial-branch=main");
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "A site");
}
