/** Reads the history of a repository: `read-history <folder>`. */
import { readHistory } from "../../packages/core/dist/evidence/git/history.js";
import { openRepository } from "../../packages/core/dist/evidence/git/repository.js";

const [, , folder = ""] = process.argv;
const repository = await openRepository(folder);
if (repository === undefined) throw new Error(`${folder} is in no repository`);
let changes = 0;
await readHistory(repository, {
  order: "oldest",
  visit: (_commit, { length }) => {
    changes += length;
    return undefined;
  },
});
console.log(changes);
