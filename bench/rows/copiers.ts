import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PORT } from "../inputs/served-site.ts";
import { INPUTS, ROOT } from "../places.ts";

export const COPIERS = ["lists", "dump", "wget", "rsync"] as const;
/** What makes a copy of a site: `rs-harvest sync` by lists alone or by dumps too, or what others use. */
export type Copier = (typeof COPIERS)[number];

export const RSYNC_PORT = PORT + 1;

const COMMAND = join(ROOT, "packages/harvester/bin/rs-harvest.js");
const URL = `http://127.0.0.1:${PORT}/`;
/** What is no page: wget finds no link to these. */
const DOCUMENTS = [
  ...["/*.xml", "/changelist/", "/resourcelist/", "/changedump/", "/resourcedump/"],
  ...["/*.atom", "/.well-known/"],
];

/** Where a copier's copy stands. */
export function copied(copier: Copier): string {
  return join(INPUTS, "copies", copier);
}

/** The command that makes a copy, or brings it up to date. */
export function copyWith(copier: Copier, ...more: readonly string[]): readonly string[] {
  const folder = copied(copier);
  switch (copier) {
    case "wget":
      // After a 304, wget does not look for links in the page that it has, and ends.
      return [
        "wget",
        "--mirror",
        "--no-if-modified-since",
        "--quiet",
        "--no-host-directories",
        "-P",
        folder,
        URL,
      ];
    case "rsync": {
      const excluded = DOCUMENTS.map((pattern) => `--exclude=${pattern}`);
      const source = `rsync://127.0.0.1:${RSYNC_PORT}/site/`;
      return ["rsync", "--archive", "--delete", "--mkpath", ...excluded, source, `${folder}/`];
    }
    default: {
      const options = ["--allow-private", "--quiet", ...(copier === "lists" ? ["--no-dump"] : [])];
      return [process.execPath, COMMAND, "sync", URL, folder, ...options, ...more];
    }
  }
}

/** A copier that did less than its work would be measured as fast. */
export function requireFiles(folder: string, pattern: RegExp, count: number): void {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const found = names.filter((name) => pattern.test(name)).length;
  if (found !== count) throw new Error(`${folder} has ${found} files of ${count}`);
}
