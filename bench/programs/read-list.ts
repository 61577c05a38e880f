/** Reads a list by our reader: `read-list <file>`. */
import { createReadStream } from "node:fs";
import { openDocument } from "@rs-emit/documents";

const [, , path = ""] = process.argv;
const limits = { bytes: Number.MAX_SAFE_INTEGER, entries: Number.MAX_SAFE_INTEGER };
const reader = await openDocument(createReadStream(path), limits);
let entries = 0;
for await (const batch of reader.batches()) entries += batch.length;
console.log(entries);
