import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import { EmitError } from "../src/model/errors.ts";
import { isDocument, logOf, TestSite } from "./support/site.ts";

const FAULTS: Readonly<Record<string, (text: string, at: number) => string>> = {
  "a byte flipped": (text, at) => text.slice(0, at) + flip(text.charAt(at)) + text.slice(at + 1),
  "a byte removed": (text, at) => text.slice(0, at) + text.slice(at + 1),
  "a line removed": (text, at) => text.split("\n").toSpliced(lineOf(text, at), 1).join("\n"),
  "a line doubled": (text, at) => {
    const line = lineOf(text, at);
    return text
      .split("\n")
      .toSpliced(line, 0, text.split("\n")[line] ?? "")
      .join("\n");
  },
  "the end cut off": (text, at) => text.slice(0, at),
};

const faults = fc.record({
  document: fc.nat(),
  at: fc.nat(),
  fault: fc.constantFrom(...Object.keys(FAULTS)),
  isDotFolderLost: fc.boolean(),
});

test("whatever is damaged: the run stops and writes nothing, or each change is told once", async () => {
  const site = await published();
  const documents = [...site.files().keys()].filter(isDocument);
  const expected = logs(await continued(site));
  await fc.assert(
    fc.asyncProperty(faults, async ({ document, at, fault, isDotFolderLost }) => {
      const damaged = site.copy();
      const path = documents[document % documents.length] ?? "";
      const text = readFileSync(join(site.folder, path), "utf8");
      writeFileSync(join(damaged.folder, path), FAULTS[fault]?.(text, at % text.length) ?? "");
      if (isDotFolderLost) damaged.remove(".well-known");
      const before = damaged.files();
      try {
        await damaged.run("2026-11-20T12:00:00Z");
      } catch (error) {
        expect(error).toBeInstanceOf(EmitError);
        expect(damaged.files()).toEqual(before);
        return;
      }
      expect(logs(damaged)).toEqual(expected);
    }),
    { numRuns: Number(process.env.RUNS ?? rounds(20, 60)) },
  );
});

function logs({ folder, url }: TestSite): string[] {
  return ["", "shrine/"].flatMap((collection) => logOf(folder, url, collection));
}

function flip(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) ^ 1);
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split("\n").length - 1;
}

async function continued(site: TestSite): Promise<TestSite> {
  const next = site.copy();
  await next.publish("2026-11-20T12:00:00Z");
  return next;
}

/** Three publications in three months, and an edit that is not published yet. */
async function published(): Promise<TestSite> {
  const site = new TestSite({ collections: ["", "shrine"] });
  site.page("index.html", "Home").page("links.html", "Links").page("shrine/index.html", "Shrine");
  await site.publish("2026-10-05T12:00:00Z");
  await site.page("index.html", "Home again").publish("2026-10-20T12:00:00Z");
  await site.page("links.html", "Links again").publish("2026-11-05T12:00:00Z");
  return site.page("index.html", "Home at last");
}
