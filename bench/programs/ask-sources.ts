import { Agent, request } from "undici";

/**
 * Asks for the documents of so many sources, as a check does, and does nothing with the answers: what any
 * harvester must wait for. With `fresh` the answers are whole documents.
 */
const [, , port = "", sources = "", mode = "same", atOnce = "64"] = process.argv;

const PATHS = [
  "/robots.txt",
  "/.well-known/resourcesync",
  "/capabilitylist.xml",
  "/changelist.xml",
];
const agent = new Agent({ connections: 1 });
let next = 0;

async function ask(): Promise<void> {
  for (let at = next++; at < Number(sources); at = next++) {
    for (const path of PATHS) {
      const headers = {
        host: `s${at}.test:${port}`,
        ...(mode === "same"
          ? { "if-none-match": path === "/changelist.xml" ? generation : '"s"' }
          : {}),
      };
      const { body } = await request(`http://127.0.0.1:${port}${path}`, {
        dispatcher: agent,
        headers,
      });
      await body.dump();
    }
  }
}

const answer = await request(`http://127.0.0.1:${port}/changelist.xml`, {
  headers: { host: `s0.test:${port}` },
});
const generation = String(answer.headers.etag);
await answer.body.dump();
await Promise.all(Array.from({ length: Number(atOnce) }, ask));
await agent.close();
