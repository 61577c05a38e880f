import { afterEach, expect, test, vi } from "vitest";
import { liveSite } from "../src/index.ts";

afterEach(() => vi.useRealTimers());

/** What Node 20 makes of a body whose compression breaks after its beginning. */
async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("<urlset");
  await new Promise(() => {});
}

test("an answer that neither ends nor fails is one that takes too long", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const fetch = async () => ({
    status: 200,
    headers: new Headers(),
    body: Object.assign(broken(), { cancel: async () => {} }),
  });
  const answer = await liveSite(fetch, "x").get("https://example.org/");
  const read = expect(async () => {
    for await (const _ of answer.body);
  }).rejects.toThrow("https://example.org/ does not answer within 60 s.");
  await vi.advanceTimersByTimeAsync(60_000);
  await read;
});
