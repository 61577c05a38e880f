/** Tokenizes every blob of a repository by htmlparser2 alone: `parse-versions <folder>`. */
import { execFileSync } from "node:child_process";
import { Parser } from "htmlparser2";

const [, , cwd = ""] = process.argv;
const batch = ["cat-file", "--batch-all-objects", "--batch", "--buffer"];
const objects = execFileSync("git", batch, { cwd, maxBuffer: 2 ** 30 });
let tags = 0;
for (let start = 0; start < objects.length; ) {
  const contents = objects.indexOf("\n", start) + 1;
  const [, type, size] = objects.toString("latin1", start, contents - 1).split(" ");
  const end = contents + Number(size);
  if (type === "blob") {
    new Parser({ onopentag: () => (tags += 1) }).end(objects.toString("utf8", contents, end));
  }
  start = end + 1;
}
console.log(tags);
