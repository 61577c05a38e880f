import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openDocument } from "@rs-emit/documents";
import { Agent } from "undici";

/**
 * Fetches what a Resource List names, hashes it and writes it: what any copy of a site must do. As many requests
 * at a time as `rs-harvest sync` makes.
 */
const [, , listUrl = "", folder = ""] = process.argv;

const AT_ONCE = 4;
const agent = new Agent({ connections: AT_ONCE });
const { origin } = new URL(listUrl);
const list = await agent.request({ origin, path: new URL(listUrl).pathname, method: "GET" });
const paths: string[] = [];
for await (const batch of (await openDocument(list.body)).batches()) {
  for (const { loc } of batch) paths.push(new URL(loc).pathname);
}
const made = new Set<string>();
let next = 0;
await Promise.all(Array.from({ length: AT_ONCE }, fetchSome));
await agent.close();

async function fetchSome(): Promise<void> {
  for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true });
    made.add(dirname(file));
    const { body } = await agent.request({ origin, path, method: "GET" });
    const bytes = Buffer.from(await body.arrayBuffer());
    createHash("sha256").update(bytes).digest("hex");
    await writeFile(file, bytes);
  }
}
