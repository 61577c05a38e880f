/** Writes a Change List: `write-changes <file> <entries> <form>`. */
import { closeSync, openSync, writeSync } from "node:fs";
import { ListWriter } from "@rs-emit/documents";
import { CHANGE_LIST, changes, isForm, PREFIXES } from "./entries.ts";

const [, , path = "", count = "", form = ""] = process.argv;
const entries = Number(count);
const limits = { entries, bytes: Number.MAX_SAFE_INTEGER };
const made = changes(entries, isForm(form) ? form : "full");
const file = openSync(path, "w");
const writer = new ListWriter(CHANGE_LIST, { ...limits, prefixes: PREFIXES });
for (const change of made) {
  writer.add(change);
  for (const chunk of writer.take()) writeSync(file, chunk);
}
writeSync(file, writer.finish());
closeSync(file);
