import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { RenderedFeeds } from "../src/serve/web/feeds.ts";

describe("rendered feeds", () => {
  let renders = 0;
  const render = (text: string | undefined) => async () => {
    renders += 1;
    return text;
  };
  const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

  test("are rendered once for all who ask at the same time, and later", async () => {
    const feeds = new RenderedFeeds();
    renders = 0;
    const asked = Array.from({ length: 50 }, () => feeds.get("1-a", render("<feed/>")));
    const answers = await Promise.all([...asked, feeds.get("1-b", render("<other/>"))]);
    expect(new Set(answers.map((answer) => textOf(answer?.plain)))).toEqual(
      new Set(["<feed/>", "<other/>"]),
    );
    expect(gunzipSync(answers[0]?.gzip ?? "").toString()).toBe("<feed/>");
    expect(textOf((await feeds.get("1-a", render("<never/>")))?.plain)).toBe("<feed/>");
    expect(renders).toBe(2);
  });

  test("of a new version are rendered anew", async () => {
    const feeds = new RenderedFeeds();
    await feeds.get("1-a", render("old"));
    expect(textOf((await feeds.get("2-a", render("new")))?.plain)).toBe("new");
  });

  test("that failed, or are none, are tried again", async () => {
    const feeds = new RenderedFeeds();
    const fail = () => Promise.reject(new Error("the database is away"));
    await expect(feeds.get("1-a", fail)).rejects.toThrow("the database is away");
    expect(await feeds.get("1-a", render(undefined))).toBeUndefined();
    expect(textOf((await feeds.get("1-a", render("text")))?.plain)).toBe("text");
  });

  test("take a bounded part of the memory", async () => {
    const feeds = new RenderedFeeds();
    renders = 0;
    const large = "x".repeat(4 * 1024 * 1024);
    const ask = async (from: number, to: number) => {
      for (let at = from; at < to; at += 1) await feeds.get(`${at}`, render(large));
    };
    await ask(0, 20);
    expect(renders).toBe(20);
    await ask(18, 20);
    expect(renders).toBe(20);
    await ask(0, 1);
    expect(renders).toBe(21);
  });
});
