/** Reads a list by sax alone, which makes nothing of it: `read-sax <file>`. */
import { createReadStream } from "node:fs";
import sax from "sax";

const [, , path = ""] = process.argv;
const parser = sax.parser(true);
let elements = 0;
parser.onopentag = () => elements++;
parser.ontext = () => {};
parser.onclosetag = () => {};
for await (const text of createReadStream(path, "utf8")) parser.write(String(text));
parser.close();
console.log(elements);
