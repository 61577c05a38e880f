import { DCTERMS, type Entry, foreignValue } from "@rs-emit/documents";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rewriteDocuments, without } from "../../../test/format/rewrite.ts";
import { rounds } from "../../../test/thorough.ts";
import { FailingDisk } from "./support/disk.ts";
import { createRepository } from "./support/repository.ts";
import { entriesOf, seconds, TestSite } from "./support/site.ts";

/** A page with a note in it, as an author writes it by hand. */
function html(text: string, note?: string, footer = "By hand", isHidden = false): string {
  const hiding = isHidden ? "<meta name=robots content=noindex>" : "";
  const meta = note === undefined ? "" : `<meta name="rs-emit:note" content=" ${note}\n">`;
  return `<!doctype html><html lang="en"><head><title>Moss</title>${hiding}${meta}</head><main>${text}</main><footer>${footer}</footer></html>`;
}

function wordsIn({ metadata = {} }: Entry): string | undefined {
  return foreignValue(metadata, DCTERMS, "description");
}

function isMinor({ metadata = {} }: Entry): boolean {
  return metadata.foreign?.some(({ name }) => name === "importance") ?? false;
}

/** The log: kind, whether it is minor, path, words. */
function told(site: TestSite): string[] {
  return entriesOf(site.folder, site.url).map((entry) => {
    const words = wordsIn(entry);
    const minor = isMinor(entry) ? " (minor)" : "";
    const path = entry.loc.slice(site.url.length);
    return `${entry.metadata?.change}${minor} /${path}${words === undefined ? "" : `: ${words}`}`;
  });
}

test("parts of pages are named once, with the option that takes them in", async () => {
  const named = async (day: number, include: string[] = []) => {
    const { notes } = await site.publish(`2026-10-0${day}T12:00:00Z`, { include });
    return notes.flatMap(({ code, message }) => (code === "FRAGMENTS" ? message : []));
  };
  const site = new TestSite().write("index.html", html("Home")).write("nav.html", "<ul>Moss</ul>");
  expect(await named(1)).toEqual([
    "1 file is not in the log, as a part of pages without html, head, body, title and doctype: nav.html. " +
      "If readers open it, use the option include.",
  ]);
  site.write("index.html", html("Moss grows")).write("end.html", "</body></html>");
  expect(await named(2)).toEqual([expect.stringContaining("doctype: end.html.")]);
  expect(await named(3)).toEqual([]);
  expect(await named(4, ["nav.html"])).toEqual([]);
  expect(told(site)).toEqual(["created /", "updated /", "created /nav.html"]);
});

test("pages of no collection are named, with the collection that logs them", async () => {
  const site = new TestSite({ collections: ["shrine"] });
  site.write("index.html", html("Home")).write("shrine/index.html", html("Shrine"));
  const { notes } = await site.publish("2026-10-05T12:00:00Z");
  expect(notes.map(({ message }) => message)).toEqual([
    "1 page belongs to no collection and is not in any log: index.html. To log it too, add a collection with the path /.",
  ]);
});

test("pages with unreadable characters are named when they come, with what may be wrong", async () => {
  const kana = Buffer.from("82cd82c582b78142", "hex");
  const page = Buffer.concat([Buffer.from('<meta charset="utf-8"><title>Moss</title><p>'), kana]);
  const site = new TestSite().write("index.html", html("Home")).write("moss.html", page);
  const { notes } = await site.publish("2026-10-05T12:00:00Z");
  expect(notes.map(({ message }) => message)).toEqual([
    "1 page has unreadable characters now (saved as Shift_JIS under charset=utf-8?): moss.html. Such text is not " +
      "quoted, and such a title not taken. Save it in the charset that its meta names, or name the charset that it is saved in.",
  ]);
  site.write("index.html", html("Moss grows at the wall"));
  expect((await site.publish("2026-10-06T12:00:00Z")).notes).toEqual([]);
});

describe("a page's note", () => {
  test("goes once with the page's change, and a new note with the next one", async () => {
    const site = new TestSite().write("index.html", html("Home"));
    await site.publish("2026-10-05T12:00:00Z");
    site.write("index.html", html("Moss grows", "It grows"));
    await site.publish("2026-10-06T12:00:00Z");
    site.write("index.html", html("Moss grows more", "It grows"));
    await site.publish("2026-10-07T12:00:00Z");
    site.write("index.html", html("Moss is dry", "It waits"));
    await site.publish("2026-10-08T12:00:00Z");
    expect(told(site)).toEqual([
      "created /",
      "updated /: It grows",
      "updated /",
      "updated /: It waits",
    ]);
  });

  test("alone is a minor change without words, and waits for one that is not", async () => {
    const site = new TestSite().write("index.html", html("Home"));
    await site.publish("2026-10-05T12:00:00Z");
    site.write("index.html", html("Home", "Soon"));
    await site.publish("2026-10-06T12:00:00Z");
    site.write("index.html", html("Home", "Soon", "Other footer"));
    await site.publish("2026-10-07T12:00:00Z");
    site.write("index.html", html("Now", "Soon", "Other footer"));
    await site.publish("2026-10-08T12:00:00Z");
    const minor = "updated (minor) /";
    expect(told(site)).toEqual(["created /", minor, minor, "updated /: Soon"]);
  });

  test("goes with the newest change of a page where history tells the past", async () => {
    const site = new TestSite().write("index.html", html("Home", "Hello")).page("b.html", "B");
    await site.publish("2026-10-05T12:00:00Z");
    site.write("index.html", html("Home again", "Hello"));
    await site.publish("2026-10-06T12:00:00Z");
    expect(told(site).sort()).toEqual(["created /: Hello", "created /b.html", "updated /"]);
  });

  test("is not told again where a minor change is the newest that history tells", async () => {
    using repository = createRepository();
    const said = [html("Home", "Hello"), html("Home", "Hello", "Other footer")];
    for (const [day, text] of said.entries()) {
      repository.write("public/index.html", text).commit(seconds(`2026-10-0${day + 1}T12:00:00Z`));
    }
    const folder = repository.path("public");
    const site = new TestSite({ previous: "auto", history: "git", first: true }, {}, folder);
    await site.publish("2026-10-05T12:00:00Z");
    site.write("index.html", html("Home again", "Hello", "Other footer"));
    await site.publish("2026-10-06T12:00:00Z", { previous: "output", first: false });
    expect(told(site)).toEqual(["created /: Hello", "updated (minor) /", "updated /"]);
  });

  test("is not told again where the page moves with its bytes", async () => {
    const site = new TestSite({ anyFolder: true }).write("a.html", html("Home", "Hello"));
    await site.publish("2026-10-05T12:00:00Z");
    site.remove("a.html").write("b.html", html("Home", "Hello"));
    await site.publish("2026-10-06T12:00:00Z");
    site.write("b.html", html("Home again", "Hello"));
    await site.publish("2026-10-07T12:00:00Z");
    expect(told(site).sort()).toEqual([
      "created /a.html: Hello",
      "created /b.html",
      "deleted /a.html",
      "updated /b.html",
    ]);
  });

  test("is not told again either where the list has lost the page's blocks", async () => {
    const site = new TestSite()
      .page("index.html", "Home")
      .write("a.html", html("Moss", "It grows"));
    await site.publish("2026-10-05T12:00:00Z");
    rewriteDocuments(site.folder, (text) => without(text, ["blocks"]));
    site.remove("a.html").write("b.html", html("Moss", "It grows"));
    await site.publish("2026-10-06T12:00:00Z");
    expect(told(site).slice(2).sort()).toEqual(["created /b.html", "deleted /a.html"]);
  });

  test.each([[[]], [["blocks"]]])(
    "is not told again where the page takes the place of another: without %j",
    async (forgotten) => {
      const site = new TestSite()
        .page("index.html", "Home")
        .write("a.html", html("Moss", "It grows"));
      await site.publish("2026-10-05T12:00:00Z");
      if (forgotten.length > 0) rewriteDocuments(site.folder, (text) => without(text, forgotten));
      site.remove("a.html").write("index.html", html("Moss", "It grows"));
      await site.publish("2026-10-06T12:00:00Z");
      site.write("index.html", html("Moss and fern", "It grows"));
      await site.publish("2026-10-07T12:00:00Z");
      expect(told(site).slice(2)).toEqual([
        // What it says now stood on the other page.
        forgotten.length > 0 ? "updated /" : "updated (minor) /",
        "deleted /a.html",
        "updated /",
      ]);
    },
  );

  test("in a builder's data counts before the one in the page, and the builder may call changes minor", async () => {
    let said: { note?: string; minor?: boolean } = { note: "From data" };
    const builder = { project: "/", sourceFiles: () => [], annotate: () => said };
    const site = new TestSite({}, { builder }).write("index.html", html("Home"));
    await site.publish("2026-10-05T12:00:00Z");
    site.write("index.html", html("Edited", "In the page"));
    await site.publish("2026-10-06T12:00:00Z");
    said = { note: "Next", minor: true };
    site.write("index.html", html("Edited again"));
    await site.publish("2026-10-07T12:00:00Z");
    said = { note: "Next", minor: false };
    site.write("index.html", html("Edited again", undefined, "Another footer"));
    await site.publish("2026-10-08T12:00:00Z");
    expect(told(site)).toEqual(["updated /: From data", "updated (minor) /", "updated /: Next"]);
  });
});

describe("the note of a publication", () => {
  test("goes with every change that is not minor, after a new note of its own", async () => {
    const site = new TestSite();
    for (const name of ["index", "a", "b", "c", "d", "e"]) site.write(`${name}.html`, html(name));
    await site.publish("2026-10-05T12:00:00Z");
    site.write("a.html", html("A", "My own")).write("b.html", html("Lichen")).remove("c.html");
    site.write("d.html", html("d", undefined, "Other footer"));
    await site.publish("2026-10-06T12:00:00Z", { note: "A new wing" });
    expect(told(site).slice(6).sort()).toEqual([
      "deleted /c.html: A new wing",
      "updated (minor) /d.html",
      "updated /a.html: My own\nA new wing",
      "updated /b.html: A new wing",
    ]);
  });

  test("without a change that followers hear of is an error, and nothing is written", async () => {
    const site = new TestSite().write("index.html", html("Home"));
    await site.publish("2026-10-05T12:00:00Z");
    const before = site.files();
    const note = { note: "Nothing new" };
    const failure = { code: "NOTE_WITHOUT_CHANGE" };
    await expect(site.run("2026-10-06T12:00:00Z", note)).rejects.toMatchObject(failure);
    expect(site.files()).toEqual(before);
    site.write("index.html", html("Home", undefined, "Other footer"));
    await expect(site.run("2026-10-07T12:00:00Z", note)).rejects.toMatchObject(failure);
  });

  test("goes with the newest changes of a first publication", async () => {
    const site = new TestSite().page("index.html", "Home", "2026-09-01T08:00:00Z");
    site.page("new.html", "New", "2026-09-03T08:00:00Z");
    await site.publish("2026-10-05T12:00:00Z", { note: "Hello" });
    expect(told(site)).toEqual(["created /", "created /new.html: Hello"]);
  });

  test("survives a kill between the log and the snapshot, when the run is repeated", async () => {
    for (let call = 1; call < 60; call++) {
      const site = new TestSite().write("index.html", html("Home")).write("b.html", html("B"));
      await site.publish("2026-10-05T12:00:00Z");
      site.write("index.html", html("Edited", "Its own")).write("b.html", html("Edited, too"));
      const fileSystem = new FailingDisk(call, Number.POSITIVE_INFINITY, "EIO");
      const note = { note: "A new wing" };
      await site.run("2026-10-06T12:00:00Z", note, { fileSystem }).catch(() => {});
      if (fileSystem.failed) await site.publish("2026-10-07T12:00:00Z", note);
      expect([call, told(site).slice(2).sort()]).toEqual([
        call,
        ["updated /: Its own\nA new wing", "updated /b.html: A new wing"],
      ]);
      site.write("index.html", html("Edited once more", "Its own"));
      await site.publish("2026-10-08T12:00:00Z");
      expect(told(site).at(-1)).toBe("updated /");
      if (!fileSystem.failed) return;
    }
    expect.fail("the run never came to its end");
  });
});

/** Edits of two pages: text, footer and note are numbers; 0 is no note. */
const edit = fc.record({
  text: fc.nat(2),
  footer: fc.nat(2),
  note: fc.nat(2),
  isHidden: fc.constantFrom(false, false, true),
});

type Said = Pick<typeof edit extends fc.Arbitrary<infer One> ? One : never, "footer" | "note">;
const runs = fc.array(fc.record({ a: edit, b: edit, call: fc.nat(40) }), {
  minLength: 1,
  maxLength: 6,
});

test("no note is lost, none is told twice, however often the machine is switched off", async () => {
  await fc.assert(
    fc.asyncProperty(runs, async (history) => {
      const site = new TestSite().write("index.html", html("Home"));
      await site.publish("2026-10-05T12:00:00Z");
      let time = seconds("2026-10-05T12:00:00Z");
      const at = () => {
        time += 3600;
        return new Date(time * 1000).toISOString();
      };
      const last = new Map<string, string>();
      const write = (page: string, text: string, { footer, note }: Said, isHidden = false) => {
        if (note > 0) last.set(page, `Note ${note}`);
        else last.delete(page);
        site.write(
          `${page}.html`,
          html(`${text}, ${page}`, last.get(page), `Footer ${footer}`, isHidden),
        );
      };
      for (const { a, b, call } of history) {
        write("a", `Text ${a.text}`, a, a.isHidden);
        write("b", `Text ${b.text}`, b, b.isHidden);
        const fileSystem = new FailingDisk(call, Number.POSITIVE_INFINITY, "EIO");
        await site.run(at(), { allowMassDelete: true }, { fileSystem }).catch(() => {});
      }
      await site.publish(at());
      const [newest] = history.slice(-1);
      // A page that is back is no news, so that its note waits for the edit after that.
      for (const text of ["The last edit", "Words that nobody wrote before"]) {
        if (newest !== undefined) {
          write("a", text, newest.a);
          write("b", text, newest.b);
        }
        await site.publish(at());
      }
      for (const page of ["a", "b"]) {
        const entries = entriesOf(site.folder, site.url).filter(({ loc }) =>
          loc.endsWith(`${page}.html`),
        );
        const notes = entries.flatMap((entry) => wordsIn(entry) ?? []);
        expect(notes.every((note, position) => note !== notes[position - 1])).toBe(true);
        expect(entries.filter(isMinor).flatMap((entry) => wordsIn(entry) ?? [])).toEqual([]);
        if (last.has(page)) expect(notes.at(-1)).toBe(last.get(page));
      }
    }),
    { numRuns: Number(process.env.RUNS ?? rounds(8, 25)) },
  );
});
