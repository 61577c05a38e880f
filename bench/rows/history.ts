import { join } from "node:path";
import { removeDocuments } from "../inputs/documents.ts";
import { COMMITS, FILES, historyRepository } from "../inputs/history.ts";
import { type Line, timeLine } from "../line.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

const LOG = "git log --raw -z --no-abbrev --no-renames --first-parent -m";

/** What git knows: the pass over history, and a whole first publication of files that are no pages. */
export async function history(rounds: number): Promise<readonly Line[]> {
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
    timeLine(`first publication: ${size}`, publication, yardstick, 1.6),
  ];
}
