import { join } from "node:path";
import { removeDocuments } from "../inputs/documents.ts";
import { handBuiltSite, VERSIONS } from "../inputs/hand-built.ts";
import { COMMITS, FILES, historyRepository } from "../inputs/history.ts";
import { type Line, timeLine } from "../line.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

const LOG = "git log --raw -z --no-abbrev --no-renames --first-parent -m";

/**
 * What git knows: the pass over history, a whole first publication of files that are no pages, and one
 * of pages, whose versions are read and compared.
 */
export async function history(rounds: number): Promise<readonly Line[]> {
  return [...(await files(rounds)), ...(await pages(rounds))];
}

async function files(rounds: number): Promise<readonly Line[]> {
  const repository = await historyRepository();
  const site = join(repository, "site");
  const options = {
    folder: site,
    url: "https://example.org/",
    include: ["**/*.txt"],
    anyFolder: true,
  };
  const git = new Contestant(LOG.split(" "), { cwd: repository });
  const pass = new Contestant(program("read-history", repository));
  const publication = new Contestant(
    program("emit", JSON.stringify({ ...options, previous: "output" })),
    { prepare: () => removeDocuments(site) },
  );
  await race(rounds, git, pass, publication);
  const yardstick = { name: "git log", contestant: git };
  const size = `${COMMITS} commits, ${FILES} files`;
  return [
    timeLine(`pass over history: ${size}`, pass, yardstick, 1.15),
    timeLine(`first publication: ${size}`, publication, yardstick, 2.5),
  ];
}

async function pages(rounds: number): Promise<readonly Line[]> {
  const repository = await handBuiltSite();
  const folder = join(repository, "public");
  const options = { folder, url: "https://example.org/", anyFolder: true, previous: "output" };
  const publication = new Contestant(program("emit", JSON.stringify(options)), {
    prepare: () => removeDocuments(folder),
  });
  const parser = new Contestant(program("parse-versions", repository));
  await race(rounds, publication, parser);
  const yardstick = { name: "htmlparser2", contestant: parser };
  return [timeLine(`first publication: ${VERSIONS} versions`, publication, yardstick, 6)];
}
