import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyDocuments } from "../inputs/documents.ts";
import { writePages } from "../inputs/pages.ts";
import { type Line, memoryLine, timeLine } from "../line.ts";
import { generated, sized } from "../places.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

const PAGES = sized(3_000);

const MARKS = {
  date: '<p><time data-rs-emit="updated"></time></p>',
  list: '<ul data-rs-emit="changes"></ul>',
} as const;

/** What pages remember, quote and show, when every page changed; beside the same run without. */
export async function excerpts(rounds: number): Promise<readonly Line[]> {
  const plain = await changedSite("plain", "");
  const forgetful = await changedSite("forgetful", "", { excerpts: false });
  const quoted = await changedSite("quoted", "");
  await race(rounds, forgetful, quoted);
  const marked = Object.entries(MARKS).map(async ([name, mark]) => changedSite(name, mark));
  const [dated, listed] = await Promise.all(marked);
  if (dated === undefined || listed === undefined) throw new Error("no marks");
  await race(rounds, plain, dated, listed);
  const most = { name: "without", contestant: plain };
  return [
    timeLine(
      `every page of ${PAGES} changed, with excerpts`,
      quoted,
      { name: "without", contestant: forgetful },
      2,
    ),
    memoryLine("its peak memory", quoted, { name: "without", contestant: forgetful }),
    timeLine("the same with a date in each page", dated, most, 2),
    timeLine("with a list of changes in each page", listed, most, 2),
  ];
}

/** A publication of a site whose pages all changed since the last one. */
async function changedSite(name: string, mark: string, options = {}): Promise<Contestant> {
  const folders = await Promise.all(
    (["before", "after"] as const).map((version) =>
      generated(`${name}-${version}`, (folder) => {
        writePages(folder, PAGES, version);
        if (mark !== "") for (const file of pagesIn(folder)) insert(file, mark);
      }),
    ),
  );
  const [before = "", built = ""] = folders;
  const site = { url: "https://example.org/", anyFolder: true, history: "files", ...options };
  const publish = (folder: string) =>
    program("emit", JSON.stringify({ ...site, folder, previous: "output" }));
  const [node = "", ...args] = publish(before);
  execFileSync(node, args);
  const after = `${built}-published`;
  return new Contestant(publish(after), {
    prepare: () => {
      rmSync(after, { recursive: true, force: true });
      cpSync(built, after, { recursive: true });
      copyDocuments(before, after);
    },
  });
}

function pagesIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".html")).map((file) => join(folder, file));
}

function insert(file: string, mark: string): void {
  writeFileSync(file, readFileSync(file, "utf8").replace("<footer>", `<footer>${mark}`));
}
