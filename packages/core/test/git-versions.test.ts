import { describe, expect, test } from "vitest";
import { readVersions } from "../src/git/blobs.ts";
import type { Repository } from "../src/git/repository.ts";
import { open } from "./support/history.ts";
import { createRepository, removeFolder, type TestRepository } from "./support/repository.ts";

const MISSING = "0123456789012345678901234567890123456789";

async function contents(repository: Repository, blobs: Iterable<string>): Promise<unknown[]> {
  const versions: unknown[] = [];
  for await (const { blob, bytes } of readVersions(repository, blobs)) {
    versions.push([blob, bytes && Buffer.from(bytes).toString("latin1")]);
  }
  return versions;
}

/** Three versions of one file, and their blobs, oldest first. */
function threeVersions(): { site: TestRepository; blobs: string[] } {
  const site = createRepository();
  const blobs = ["one", "two", "three"].map((text, index) => {
    site.write("a", text).commit(index + 1);
    return site.blob("a");
  });
  return { site, blobs };
}

describe("versions", () => {
  test("come in the order asked, as often as asked", async () => {
    const { site, blobs } = threeVersions();
    using _ = site;
    const [one = "", two = "", three = ""] = blobs;
    expect(await contents(await open(site.root), [two, three, one, two])).toEqual([
      [two, "two"],
      [three, "three"],
      [one, "one"],
      [two, "two"],
    ]);
  });

  test("may be none", async () => {
    using site = createRepository();
    expect(await contents(await open(site.root), [])).toEqual([]);
  });

  test("that are not there are refused: only a partial clone may lack some", async () => {
    const { site, blobs } = threeVersions();
    using _ = site;
    const [one = "", two = ""] = blobs;
    const repository = await open(site.root);
    await expect(contents(repository, [one, MISSING, two])).rejects.toMatchObject({
      code: "GIT_FAILED",
      reason: `${MISSING} is missing`,
    });
  });

  test("are bytes: empty, without newline, with NUL, larger than any buffer", async () => {
    using site = createRepository();
    const texts = ["", "\n", "a\0b\xff\n\n", "x".repeat(3_000_001), "blob 3\nabc"];
    texts.forEach((text, index) => {
      site.write(`f${index}`, Buffer.from(text, "latin1"));
    });
    site.commit(10);
    const blobs = texts.map((_, index) => site.blob(`f${index}`));
    const read = await contents(await open(site.root), blobs);
    expect(read).toEqual(texts.map((text, index) => [blobs[index], text]));
  });

  test("are asked for as they are read, thousands through one process", async () => {
    const { site, blobs } = threeVersions();
    using _ = site;
    site.git("repack", "-adq");
    let asked = 0;
    function* many(): Generator<string> {
      for (; asked < 100_000; asked++) yield blobs[asked % 3] ?? "";
    }
    let read = 0;
    for await (const { bytes } of readVersions(await open(site.root), many())) {
      if (read === 0) expect(asked).toBeLessThan(50_000);
      expect(bytes?.length).toBe([3, 3, 5][read % 3]);
      read++;
    }
    expect(read).toBe(100_000);
  });

  test("may be left off reading", async () => {
    const { site, blobs } = threeVersions();
    using _ = site;
    for await (const { blob } of readVersions(await open(site.root), blobs)) {
      expect(blob).toBe(blobs[0]);
      break;
    }
  });
});

describe("versions of a partial clone", () => {
  const clone = (site: TestRepository): TestRepository => site.clone("--filter=blob:none");

  test("are fetched together when they are missing", async () => {
    const { site, blobs } = threeVersions();
    using _ = site;
    using partial = clone(site);
    const packs = (): number =>
      Number(/packs: (\d+)/.exec(partial.git("count-objects", "-v"))?.[1]);
    const before = packs();
    expect(await contents(await open(partial.root), blobs)).toEqual([
      [blobs[0], "one"],
      [blobs[1], "two"],
      [blobs[2], "three"],
    ]);
    expect(packs()).toBe(before + 1);
  });

  test("that the remote lost are undefined", async () => {
    const { site, blobs } = threeVersions();
    using _ = site;
    using partial = clone(site);
    const three = blobs[2] ?? "";
    expect(await contents(await open(partial.root), [MISSING, three])).toEqual([
      [MISSING, undefined],
      [three, "three"],
    ]);
  });

  test("that cannot be fetched are undefined; what is here is still read", async () => {
    const { site, blobs } = threeVersions();
    using _ = site;
    using partial = clone(site);
    removeFolder(site.root);
    const [one = "", two = "", three = ""] = blobs;
    expect(await contents(await open(partial.root), [one, three, two])).toEqual([
      [one, undefined],
      [three, "three"],
      [two, undefined],
    ]);
  });

  test("need no remote when they are all here", async () => {
    const { site, blobs } = threeVersions();
    using _ = site;
    using partial = clone(site);
    removeFolder(site.root);
    const three = blobs[2] ?? "";
    expect(await contents(await open(partial.root), [three])).toEqual([[three, "three"]]);
  });
});
