import { openDocument } from "@rs-emit/documents";
import { FETCH_LIMITS } from "@rs-emit/reader";
import { ANYWHERE, guardedAgent } from "@rs-emit/reader/http/network-policy";

/**
 * Asks for the documents that a check of so many sources asks for, by the same host names and with the same
 * agent, and does nothing with the answers: what any harvester must wait for. With `changed` the Change
 * Lists are sent whole, and are parsed.
 */
const [, , port = "", sources = "", mode = "same", atOnce = "64"] = process.argv;

const agent = await guardedAgent(ANYWHERE, async () => ["127.0.0.1"], FETCH_LIMITS);
const UNCHANGED = ["/.well-known/resourcesync", "/capabilitylist.xml"];
const generation = await ask("s0.test", "/changelist.xml");
let next = 0;
await Promise.all(Array.from({ length: Number(atOnce) }, askSources));
await agent.close();

async function askSources(): Promise<void> {
  for (let at = next++; at < Number(sources); at = next++) {
    const host = `s${at}.test`;
    if (mode === "same") await ask(host, "/changelist.xml", generation);
    else {
      await ask(host, "/changelist.xml");
      for (const path of UNCHANGED) await ask(host, path, '"s"');
    }
  }
}

/** @returns the entity tag of what was sent */
async function ask(host: string, path: string, etag?: string): Promise<string> {
  const { body, headers } = await agent.request({
    origin: `http://${host}:${port}`,
    path,
    method: "GET",
    headers: etag === undefined ? {} : { "if-none-match": etag },
  });
  if (etag !== undefined) await body.dump();
  else for await (const _ of await openDocument(body));
  return String(headers.etag);
}
