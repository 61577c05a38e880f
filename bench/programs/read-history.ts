/** Reads the history of a repository: `read-history <folder>`. */
import { collectHistory } from "../../packages/core/dist/evidence/git/history.js";
import { openRepository } from "../../packages/core/dist/evidence/git/repository.js";

const [, , folder = ""] = process.argv;
const repository = await openRepository(folder);
if (repository === undefined) throw new Error(`${folder} is in no repository`);
const history = await collectHistory(repository, {});
console.log(history.reduce((sum, [, changes]) => sum + changes.length, 0));
