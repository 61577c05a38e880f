import { afterEach, expect, test, vi } from "vitest";
import { bodyWithin, wholeBodyWithin } from "../src/index.ts";

afterEach(() => vi.useRealTimers());

/** What Node 20 makes of a body whose compression breaks after its beginning. */
async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("<urlset");
  await new Promise(() => {});
}

test("a body that neither ends nor fails is one that takes too long, and keeps the process alive until then", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const reading = wholeBodyWithin(broken(), 60_000);
  const late = expect(reading).rejects.toMatchObject({ name: "TimeoutError" });
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  await late;
});

test("one that ends is as it was, and leaves no timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  async function* whole() {
    yield Buffer.from("a");
    yield Buffer.from("b");
  }
  expect(String(await wholeBodyWithin(whole(), 1000))).toBe("ab");
  for await (const chunk of bodyWithin(whole(), 1000)) {
    expect(String(chunk)).toBe("a");
    break;
  }
  expect(await wholeBodyWithin(null, 1000)).toHaveLength(0);
  expect(vi.getTimerCount()).toBe(0);
});
