import { join } from "node:path";
import { COMMITS, committedSite, PAGES } from "../inputs/committed-site.ts";
import { removeDocuments } from "../inputs/documents.ts";
import { type Line, memoryLine, timeLine } from "../line.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

/** Checks out each commit of the first-parent line in a working tree of its own. */
const CHECKOUTS = `
  git worktree add --quiet --detach --no-checkout "$0" HEAD
  cd "$0"
  for commit in $(git rev-list --first-parent --reverse HEAD); do
    git checkout --quiet --force --detach "$commit"
  done
  git worktree remove --force "$0"
`;

/** A committed folder, told commit by commit. */
export async function backfill(rounds: number): Promise<readonly Line[]> {
  const repository = await committedSite();
  const site = join(repository, "public");
  const options = { folder: site, url: "https://example.org/", previous: "output" };
  const told = new Contestant(program("backfill", JSON.stringify(options)), {
    prepare: () => removeDocuments(site),
  });
  const checkouts = new Contestant(["sh", "-ec", CHECKOUTS, `${repository}-checkouts`], {
    cwd: repository,
  });
  await race(rounds, told, checkouts);
  const yardstick = { name: "git checkout", contestant: checkouts };
  return [
    timeLine(`backfill: ${COMMITS} commits, ${PAGES} pages`, told, yardstick, 2),
    memoryLine("its peak memory", told),
  ];
}
