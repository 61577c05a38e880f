/** Reads the history of a repository: `read-history <folder>`. */
import { startLog } from "../../packages/core/dist/git/log.js";
import { openRepository } from "../../packages/core/dist/git/repository.js";

const [, , folder = ""] = process.argv;
const repository = await openRepository(folder);
if (repository === undefined) throw new Error(`${folder} is in no repository`);
let changes = 0;
await startLog(repository).read({
  visit: (_, ofCommit) => {
    changes += ofCommit.length;
    return undefined;
  },
});
console.log(changes);
