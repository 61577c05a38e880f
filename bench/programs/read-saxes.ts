/** Reads a list by saxes alone, which makes nothing of it: `read-saxes <file>`. */
import { createReadStream } from "node:fs";
import { SaxesParser } from "saxes";

const [, , path = ""] = process.argv;
const parser = new SaxesParser();
let elements = 0;
parser.on("opentag", () => elements++);
parser.on("text", () => {});
parser.on("closetag", () => {});
for await (const text of createReadStream(path, "utf8")) parser.write(String(text));
parser.close();
console.log(elements);
