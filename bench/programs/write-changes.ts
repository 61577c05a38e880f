/** Writes a Change List: `write-changes <file> <entries> <form>`. */
import { closeSync, openSync, writeSync } from "node:fs";
import { documentChunks } from "@rs-emit/documents";
import { CHANGE_LIST, changes, PREFIXES } from "./entries.ts";

const [, , path = "", count = "", form = ""] = process.argv;
const entries = Number(count);
const limits = { entries, bytes: Number.MAX_SAFE_INTEGER };
const made = changes(entries, form === "told" ? form : "full");
const file = openSync(path, "w");
for (const chunk of documentChunks(CHANGE_LIST, made, { ...limits, prefixes: PREFIXES })) {
  writeSync(file, chunk);
}
closeSync(file);
