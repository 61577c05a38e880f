import { describe, expect, test } from "vitest";
import { compareFolders } from "../src/compare/folders.ts";
import { EmitError } from "../src/model/errors.ts";
import { attributeToFormat, formatToAttribute } from "../src/model/log-attributes.ts";
import { openPublished } from "../src/recall/published-changes.ts";
import { serve } from "./support/server.ts";
import { logOf, TestSite } from "./support/site.ts";

const NEXT = "2026-11-20T12:00:00Z";
const ROOT = "changelist.xml";
const SHRINE = "shrine/changelist.xml";

/** Two publications of two collections, and an edit that is not published yet. */
async function published(url?: string): Promise<TestSite> {
  const site = new TestSite({ collections: ["", "shrine"], ...(url && { url }) });
  site.page("index.html", "Home").page("shrine/index.html", "Shrine");
  await site.publish("2026-10-05T12:00:00Z");
  site.page("index.html", "Home again").page("shrine/index.html", "Shrine again");
  await site.publish("2026-10-20T12:00:00Z");
  return site.page("index.html", "Home for good");
}

function raise(site: TestSite, number: string, index = ROOT): TestSite {
  return site.write(index, site.read(index).replace(" emit:", ` emit:format="${number}"$&`));
}

async function errorOf(run: Promise<unknown>): Promise<EmitError> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof EmitError)) throw error ?? new Error("it was not stopped");
  return error;
}

describe("documents of a format with a higher number", () => {
  test.each([ROOT, SHRINE])(
    "stop the run, where %s says so, and nothing is written",
    async (index) => {
      const site = raise(await published(), "2", index);
      const before = site.files();
      const error = await errorOf(site.run(NEXT));
      expect(error).toMatchObject({
        code: "NEWER_FORMAT",
        about: index,
        problem:
          `The documents in ${site.folder} are of format 2, as ${index} says, and this version of rs-emit ` +
          "knows format 1: a newer version published them.",
        cure:
          "Update rs-emit here, with its plugins, to the version that published last or a newer one, " +
          "and run again.",
      });
      expect(error.message).toContain("rs-emit changed no page and no log.");
      expect(site.files()).toEqual(before);
    },
  );

  test("stop it even where the rest of the index is said in another way", async () => {
    const site = raise(await published(), "12");
    site.write(ROOT, site.read(ROOT).replace(/ emit:publication="[^"]*"/, ""));
    expect(await errorOf(site.run(NEXT))).toMatchObject({ code: "NEWER_FORMAT" });
  });

  test("stop it whatever says that nothing was published", async () => {
    const site = raise(await published(), "2");
    const run = site.run(NEXT, { first: true, force: true });
    expect(await errorOf(run)).toMatchObject({ code: "NEWER_FORMAT" });
  });

  test("stop it where a path has them", async () => {
    const site = raise(await published(), "2");
    const run = site.build({ previous: site.folder }).run(NEXT);
    expect(await errorOf(run)).toMatchObject({ code: "NEWER_FORMAT" });
  });

  test("stop it where the live site has them", async () => {
    const host = await serve("");
    const site = raise(await published(host.url), "2");
    host.folder = site.folder;
    for (const previous of ["site", "auto"]) {
      const error = await errorOf(site.build({ previous }).run(NEXT));
      expect(error).toMatchObject({ code: "NEWER_FORMAT" });
      expect(error.problem).toContain(`in ${host.url}`);
    }
  });

  test("stop who reads their changes", async () => {
    const site = raise(await published(), "2");
    const changes = await openPublished(site.folder);
    expect(await errorOf(changes.lastOf(site.url))).toMatchObject({ code: "NEWER_FORMAT" });
    const read = async () => {
      for await (const _ of changes.read([site.url]));
    };
    expect(await errorOf(read())).toMatchObject({ code: "NEWER_FORMAT" });
  });

  test("stop a comparison with the site's copy, wherever they are", async () => {
    const known = await published();
    const newer = raise(known.copy(), "2");
    for (const [here, there] of [
      [known, newer],
      [newer, known],
      [newer, newer],
    ] as const) {
      const compared = compareFolders(here.folder, there.folder);
      expect(await errorOf(compared)).toMatchObject({ code: "NEWER_FORMAT" });
    }
  });
});

test("the number is written from the second format on, and read back", () => {
  expect(formatToAttribute(1)).toBeUndefined();
  expect([1, 2, 12].map((number) => attributeToFormat(formatToAttribute(number)))).toEqual([
    1, 2, 12,
  ]);
});

test("an index that says format 1 is one that says none", async () => {
  const site = raise(await published(), "1");
  await site.publish(NEXT);
  expect(logOf(site.folder, site.url).at(-1)).toBe(`${NEXT} updated /`);
  expect(site.read(ROOT)).not.toContain("emit:format");
});

test.each(["", "0", "01", "-1", "1.5", "two", "2 "])(
  "'%s' is no number of a format",
  async (number) => {
    const site = raise(await published(), number);
    const error = await errorOf(site.run(NEXT));
    expect(error).toMatchObject({ code: "DAMAGED_DOCUMENT", about: ROOT });
  },
);
