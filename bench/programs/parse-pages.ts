/** Parses every page of a site by htmlparser2 alone: `parse-pages <folder>`. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "htmlparser2";

const [, , folder = ""] = process.argv;
let nodes = 0;
for (const page of globSync("**/*.html", { cwd: folder })) {
  nodes += parseDocument(readFileSync(join(folder, page), "utf8")).children.length;
}
console.log(nodes);
