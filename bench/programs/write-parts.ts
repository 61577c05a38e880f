/** Writes a Change List in parts behind an index: `write-parts <folder> <entries>`. */
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { splitList } from "@rs-emit/documents";
import { CHANGE_LIST, changes, PREFIXES } from "./entries.ts";

const [, , folder = "", count = ""] = process.argv;
const naming = {
  list: place("changelist.xml"),
  part: (number: number) => place(`part-${number}.xml`),
};

for (const list of splitList(CHANGE_LIST, changes(Number(count), "full"), naming, {
  prefixes: PREFIXES,
})) {
  const file = openSync(join(folder, list.name), "w");
  for (const chunk of list.chunks) writeFileSync(file, chunk);
  closeSync(file);
}

function place(name: string): { name: string; url: string } {
  return { name, url: `https://example.org/${name}` };
}
