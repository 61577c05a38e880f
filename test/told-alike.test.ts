import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emit } from "@rs-emit/core";
import { backfill } from "@rs-emit/core/backfill";
import { type Entry, type Metadata, readDocumentSync } from "@rs-emit/documents";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import {
  createRepository,
  removeFolder,
  type TestRepository,
  temporaryFolder,
} from "../packages/core/test/support/repository.ts";
import { entriesOf, logOf } from "../packages/core/test/support/site.ts";
import { commitSite, commitsOf, siteScript } from "./history/random-site.ts";
import { QUICK_DISK } from "./model/documents.ts";
import { rounds } from "./thorough.ts";

const SITE = "https://moss.example/";
const DAY = 86_400;
const BEGINNING = Date.UTC(2023, 0) / 1000;

/** How the pages of a hand-built site are written at one commit. */
interface Style {
  readonly built: string;
  readonly lineEnd: string;
  readonly links: string;
  readonly quote: string;
  readonly moss: string;
  readonly wrapped: (html: string) => string;
}

const AT_FIRST: Style = {
  built: "12:00",
  lineEnd: "\n",
  links: "Home Moss",
  quote: "&quot;",
  moss: "The moss is green.",
  wrapped: (html) => html,
};

function filesOf({ built, lineEnd, links, quote, moss, wrapped }: Style) {
  const page = (title: string, text: string, head = "") =>
    [
      "<!doctype html>",
      `<html lang="en"><head><title>${title}</title>${head}<!-- built at ${built} --></head><body>`,
      `<nav title="${quote}${links}${quote}">${links}</nav>`,
      `<main><h1>${title}</h1>`,
      wrapped(`<p title="${quote}">${text} ${quote}</p>`),
      `</main></body></html>${lineEnd}`,
    ].join(lineEnd);
  const charset = '<meta charset="latin1">';
  return new Map<string, string | Buffer>([
    ["index.html", page("Home", "Welcome.")],
    ["moss.html", page("Moss", moss)],
    ["ink.html", Buffer.from(page("Ink", "Encre s\u00e9ch\u00e9e.", charset), "latin1")],
    ["ivy.xhtml", page("Ivy", 'Evergreen<br/> <img src="ivy.png" alt=""/>')],
    ["note.txt", moss],
    ["links.html", `<nav>${links}</nav>`],
    ["scrap.html", `<p>${moss}</p>`],
  ]);
}

const SHELL = ["/", "/ink.html", "/ivy.xhtml", "/moss.html"].map(
  (path) => `updated (minor) ${path}`,
);
/** The scrap says what the page of the moss says too, which tells it. */
const MOSS = ["updated /moss.html", "updated /note.txt", "updated (minor) /scrap.html"];
const highlighted = (html: string) => html.replace(/>(\w+)/g, '><span class="word">$1</span>');

/** The commits after the first, each with what followers must hear of it. */
const PAST: readonly (readonly [Partial<Style>, readonly string[]])[] = [
  [{ built: "12:01" }, []],
  [{ lineEnd: "\r\n" }, []],
  [{ links: "Home Moss Ink" }, SHELL],
  [{ quote: "&#34;" }, SHELL],
  [{ moss: "A wall of stone stands here." }, MOSS],
  [{ links: "Home", moss: "The moss is wet." }, [...SHELL.slice(0, 3), ...MOSS]],
  [{ wrapped: (html) => `<div class="post">\n  <div>${html}</div></div>` }, SHELL],
  [{ wrapped: (html) => `<div>${highlighted(html)}</div>` }, SHELL],
  [{ built: "12:02", lineEnd: "\n" }, []],
];

test("first run, backfill and continuation tell one past alike", async () => {
  using repository = createRepository();
  const continued = temporaryFolder();
  onTestFinished(() => removeFolder(continued));
  let style = AT_FIRST;
  const truth = ["/", "/ink.html", "/ivy.xhtml", "/moss.html", "/note.txt", "/scrap.html"].map(
    (path) => `${datetime(0)} created ${path}`,
  );
  await commit(repository, continued, style, 0);
  for (const [at, [change, told]] of PAST.entries()) {
    style = { ...style, ...change };
    truth.push(...told.map((line) => `${datetime(at + 1)} ${line}`));
    await commit(repository, continued, style, at + 1);
  }
  truth.sort((one, other) => (byTimeAndPath(one) < byTimeAndPath(other) ? -1 : 1));
  expect(logOf(continued, SITE)).toEqual(truth);

  const folder = repository.path("public");
  await emit(options(folder, "none"), environment(PAST.length + 1));
  expect(logOf(folder, SITE)).toEqual(truth);

  repository.git("clean", "-dfqx");
  await backfill(options(folder, "output"), {}, environment(PAST.length + 1));
  expect(logOf(folder, SITE)).toEqual(truth);
});

test("they call a page what it was called then, and a deleted one what it was called last", async () => {
  const page = (title: string, text: string) => `<title>${title}</title><main>${text}</main>`;
  await expectTitles(
    [
      { "index.html": page("Home", "Welcome"), "ink.html": page("Ink", "Black") },
      { "index.html": page("My garden", "Welcome"), "ink.html": page("Inks", "Black") },
      { "index.html": page("My garden", "Moss") },
    ],
    [
      "created / Home",
      "created /ink.html Ink",
      "updated / My garden",
      "updated /ink.html Inks",
      "updated / My garden",
      "deleted /ink.html Inks",
    ],
  );
});

test("they call a page with the home page's title by its heading", async () => {
  const page = (title: string, text: string) => `<title>${title}</title><main>${text}</main>`;
  const home = page("Ida", "<h1>Welcome</h1>");
  await expectTitles(
    [
      {
        "a.html": page("Ida", "<h1>Ink</h1>"),
        "b.html": page("Ida", "No heading"),
        "index.html": home,
      },
      { "a.html": page("Ida", "<h1>Inks</h1>"), "index.html": home },
      { "a.html": page("Ida", "<h1>All inks</h1>"), "index.html": page("Ida's garden", "") },
    ],
    [
      "created / Ida",
      "created /a.html Ink",
      "created /b.html b",
      "updated /a.html Inks",
      "deleted /b.html b",
      "updated / Ida's garden",
      "updated /a.html Ida",
    ],
    namesOf,
  );
});

test("they call a page by a heading that no other page has any more", async () => {
  const page = (heading: string) => `<title>Ida</title><main><h1>${heading}</h1>`;
  const home = { "index.html": page("Welcome") };
  await expectTitles(
    [
      { ...home, "a1.html": page("Ferns"), "b2.html": page("Mosses") },
      { ...home, "a1.html": page("Trees"), "b2.html": page("Mosses") },
      { ...home, "a1.html": page("Trees"), "b2.html": page("Ferns") },
    ],
    [
      "created / Ida",
      "created /a1.html Ferns",
      "created /b2.html Mosses",
      "updated /a1.html Trees",
      "updated /b2.html Ferns",
    ],
    namesOf,
  );
});

test("they know nothing new in text that no charset has", async () => {
  const page = (text: string, title = "苔の庭") =>
    `<meta charset=utf-8><title>${title}</title><main><p>${text}`;
  const moss = "苔の壁は緑です。毎日見ています。";
  const inShiftJis = (hex: string) => Buffer.from(hex, "hex").toString("latin1");
  const unreadable = page(
    inShiftJis(
      "91db82cc95c782cd97ce82c582b781429688939ag8ca982c482a282dc82b78142".replace("g", "f"),
    ),
    inShiftJis("91db82cc92eb"),
  );
  await expectTitles(
    [
      { "index.html": page(moss) },
      { "index.html": Buffer.from(unreadable, "latin1") },
      { "index.html": page(moss) },
      { "index.html": page(`${moss}<p>羊歯が壁に生えました。`) },
    ],
    ["created / 苔の庭", "updated minor / 苔の庭", "updated minor / 苔の庭", "updated / 苔の庭"],
    worthOf,
  );
});

test("they tell a page as new when readers first get it, and keep one that loses its tags", async () => {
  const page = (text: string, head = "") => `<title>${text}</title>${head}<main>${text}</main>`;
  const links = "<a href=a.html>a</a> <a href=list.html>list</a> <a href=draft.html>draft</a>";
  const home = `<title>Home</title><p>${links}</p>`;
  const hidden = '<meta name="robots" content="noindex">';
  await expectTitles(
    [
      {
        "index.html": home,
        "a.html": "<h1>Albums</h1>",
        "list.html": "<p>All that I read",
        "draft.html": page("Draft", hidden),
        "moss.html": "",
        "part.html": "<p>Below each page",
      },
      {
        "index.html": `<p>${links}</p>`,
        "a.html": "<h1>Albums</h1>",
        "list.html": "<p>All that I read",
        "draft.html": page("Ferns"),
        "moss.html": page("Moss"),
        "part.html": "<p>Below each page",
      },
    ],
    [
      "created / Home",
      "created /a.html Albums",
      "created /list.html",
      "updated minor /",
      "created /draft.html Ferns",
      "created /moss.html Moss",
    ],
    worthOf,
  );
});

test("they tell no new page that says nothing of its own: tags, pagers, copies", async () => {
  const page = (title: string, text: string) =>
    `<title>${title}</title><main><h1>${title}</h1>${text}</main>`;
  const pond = '<p><a href="pond.html">Pond life</a> 2 May</p>';
  const night = '<p><a href="night.html">My nights</a> I write all night long …</p>';
  const radio = page("Radio", "<p>It stood in the shed</p>");
  const diary = (text: string) => `<title>My diary</title><main>${text}</main>`;
  const [moss, frogs] = ["<p>The moss is green</p>", "<p>Frogs ate all the flies</p>"];
  const before = {
    "index.html": page("Home", "<p>Welcome"),
    "blog.html": page("Blog", pond),
    "pond.html": page("Pond life", "<p>The fish are in the pond"),
    "diary.html": diary(moss),
  };
  await expectTitles(
    [
      before,
      {
        ...before,
        "blog.html": page("Blog", night + pond),
        "night.html": page("My nights", "<p>I write all night long, and sleep all day"),
        "tag-night.html": page("Posts about nights", night),
        "blog-2.html": page("Older posts", pond),
        "shrines.html": page("Shrines", pond),
        "radio.html": radio,
        "old-radio.html": radio,
        "diary.html": diary(frogs + moss),
        "diary-frogs.html": diary(frogs),
      },
    ],
    [
      "created / Home",
      "created /blog.html Blog",
      "created /diary.html My diary",
      "created /pond.html Pond life",
      "created minor /blog-2.html Older posts",
      "updated minor /blog.html Blog",
      "created minor /diary-frogs.html My diary",
      "updated /diary.html My diary",
      "created /night.html My nights",
      "created minor /old-radio.html Radio",
      "created /radio.html Radio",
      "created /shrines.html Shrines",
      "created minor /tag-night.html Posts about nights",
    ],
    worthOf,
  );
});

test("they tell no copy of a page that stays, and where its readers find the same when it goes", async () => {
  const page = (title: string, ...texts: readonly string[]) =>
    `<title>${title}</title><main>${texts.map((text) => `<p>${text}</p>`).join("")}</main>`;
  const said = ["It stood in the shed", "It plays two stations", "The knob is lost"];
  const before = {
    "index.html": page("Home", "Welcome", "Here is a radio", "And nothing else"),
    "radio.html": page("Radio", ...said),
    "sold.html": page("Sold", "A lamp", "A chair"),
    "walk.html": page("Walk", "Along the canal", "Back by bus"),
    "wool.html": page("Wool", "From the market"),
    "yarn.html": page("Yarn", "From the mill"),
  };
  const copies = {
    "old-radio.html": page("Radio", ...said),
    "old-sold.html": page("Sold", "A lamp", "A chair"),
    "radio-2.html": page("Radio", ...said, "A new knob came by post"),
    "radio-3.html": page("Radio", ...said.slice(1)),
    "tape.html": page("Tape", ...said),
  };
  const { "old-radio.html": _, "tape.html": __, ...left } = copies;
  await expectTitles(
    [before, { ...before, ...copies }, { ...before, ...left }],
    [
      "created / Home",
      "created /radio.html Radio",
      "created /sold.html Sold",
      "created /walk.html Walk",
      "created /wool.html Wool",
      "created /yarn.html Yarn",
      "created minor /old-radio.html Radio",
      "created /old-sold.html Sold",
      "created /radio-2.html Radio",
      "created /radio-3.html Radio",
      "created /tape.html Tape",
      "deleted /old-radio.html Radio radio.html",
      "deleted /tape.html Tape",
    ],
    worthOf,
  );
});

/** Of a first run, backfill and continuations alike. */
async function expectTitles(
  past: readonly Readonly<Record<string, string | Buffer>>[],
  truth: readonly string[],
  titlesOf = titlesAlone,
) {
  using repository = createRepository();
  const continued = temporaryFolder();
  onTestFinished(() => removeFolder(continued));
  for (const [day, files] of past.entries()) {
    for (const name of Object.keys(past[day - 1] ?? {})) {
      if (name in files) continue;
      repository.remove(`public/${name}`);
      rmSync(join(continued, name));
    }
    await commitFiles(repository, continued, new Map(Object.entries(files)), day);
  }
  expect(titlesOf(continued)).toEqual(truth);

  const folder = repository.path("public");
  await emit(options(folder, "none"), environment(past.length));
  expect(titlesOf(folder)).toEqual(truth);

  repository.git("clean", "-dfqx");
  await backfill(options(folder, "output"), {}, environment(past.length));
  expect(titlesOf(folder)).toEqual(truth);
}

test("they find the shell of pages without main, moves and quotes", async () => {
  using repository = createRepository();
  const continued = temporaryFolder();
  onTestFinished(() => removeFolder(continued));
  const page = (name: string, year: number, text = "words") =>
    `<title>${name}</title><table><tr><td><a href="/">The home page</a></td></tr></table><h1>${name}</h1><p>The ${text} of ${name}.</p><p>© ${year} Ami</p>`;
  const names = ["a", "b", "c", "d", "e", "f"];
  const all = (year: number, edits: Readonly<Record<string, string>> = {}, of = names) =>
    new Map(of.map((name) => [`${name}.html`, page(name, year, edits[name])]));
  const edited = { a: "new words of moss.</p><p>The fern and the wall.</p><p>The words" };
  const past = [
    all(2024),
    all(2025),
    all(2026, edited),
    new Map([...all(2026, edited, names.slice(1)), ["moved.html", page("a", 2026, edited.a)]]),
  ];
  for (const [day, files] of past.entries()) {
    if (day === 3) {
      repository.remove("public/a.html");
      rmSync(join(continued, "a.html"));
    }
    await commitFiles(repository, continued, files, day);
  }
  const told = (folder: string) =>
    entriesOf(folder, SITE).map(({ loc, metadata = {} }) => {
      const value = (of: string) => metadata.foreign?.find(({ name }) => name === of)?.value ?? "";
      const words = [metadata.change, loc.slice(SITE.length), value("importance"), value("moved")];
      return words.filter((word) => word !== "").join(" ");
    });
  const quotes = (folder: string) =>
    entriesOf(folder, SITE).flatMap(({ metadata = {} }) => {
      return metadata.foreign?.find(({ name }) => name === "quotes")?.value ?? [];
    });
  const updates = (minor: (name: string) => string) =>
    names.map((name) => `updated ${name}.html${minor(name)}`);
  const truth = [
    ...names.map((name) => `created ${name}.html`),
    ...updates(() => " minor"),
    ...updates((name) => (name === "a" ? "" : " minor")),
    "deleted a.html moved.html",
    "created moved.html a.html",
  ];
  expect(told(continued)).toEqual(truth);
  const quoted = quotes(continued);
  expect(quoted).toEqual([
    expect.stringMatching(
      /^new 0\n\S{10} \S+ The new words of moss\.\n\S{10} \S+ The fern and the wall\.$/,
    ),
  ]);

  const folder = repository.path("public");
  await emit(options(folder, "none"), environment(past.length));
  expect(told(folder)).toEqual(truth);
  expect(quotes(folder)).toEqual(quoted);

  repository.git("clean", "-dfqx");
  await backfill(options(folder, "output"), {}, environment(past.length));
  expect(told(folder)).toEqual(truth);
  expect(quotes(folder)).toEqual(quoted);
});

/** What Hugo's aliases, jekyll-redirect-from and Astro's `redirects` write, and a page for browsers without scripts. */
const REDIRECTS = {
  hugo: (to: string) =>
    `<!DOCTYPE html><html lang="en"><head><title>${SITE}${to}</title><link rel="canonical" href="${SITE}${to}">` +
    `<meta name="robots" content="noindex"><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${SITE}${to}"></head></html>`,
  jekyll: (to: string) =>
    `<!DOCTYPE html><html lang="en-US"><meta charset="utf-8"><title>Redirecting&hellip;</title><link rel="canonical" href="/${to}">` +
    `<script>location="/${to}"</script><meta http-equiv="refresh" content="0; url=/${to}"><meta name="robots" content="noindex"></html>`,
  astro: (to: string) =>
    `<!doctype html><title>Redirecting to: /${to}</title><meta http-equiv="refresh" content="0;url=/${to.replace(".html", "")}">` +
    `<meta name="robots" content="noindex"><link rel="canonical" href="${SITE}${to}"><body><a href="/${to}">on</a></body>`,
  scripted: (to: string) =>
    `<!doctype html><html><head><title>Moved</title><script>location.replace("${to}")</script>` +
    `<noscript><meta http-equiv="refresh" content="0;url=${to}"></noscript></head></html>`,
} as const;

test("they tell a page that moved and left a redirect once, with its date", async () => {
  using repository = createRepository();
  const continued = temporaryFolder();
  onTestFinished(() => removeFolder(continued));
  const page = (name: string) => `<title>${name}</title><main><p>The words of ${name}.</main>`;
  const kinds = Object.entries(REDIRECTS);
  const names = [...kinds.map(([kind]) => kind), "edited", "left", "index"];
  const before = new Map(names.map((name) => [`${name}.html`, page(name)]));
  const first = new Map([...before].map(([name, text]) => [name, text.replace("The", "What")]));
  const after = new Map([
    ...kinds.flatMap(([kind, stub]) => [
      [`${kind}.html`, stub(`${kind}2.html`)] as const,
      [`${kind}2.html`, page(kind)] as const,
    ]),
    ["edited.html", REDIRECTS.jekyll("once.html")] as const,
    ["once.html", REDIRECTS.hugo("edited2.html")] as const,
    ["edited2.html", page("edited").replace("The words", "Many other words")] as const,
    ["left.html", REDIRECTS.jekyll("index.html")] as const,
  ]);
  for (const [day, files] of [first, before, after].entries()) {
    await commitFiles(repository, continued, files, day);
  }
  const truth = [
    ...kinds.flatMap(([kind]) => [
      `created ${kind}2.html ${kind}.html`,
      `deleted ${kind}.html ${kind}2.html`,
    ]),
    "created edited2.html edited.html",
    "deleted edited.html edited2.html",
    "deleted left.html minor",
  ].sort();
  const dates = new Map<string, string>([
    ...kinds.map(([kind]) => [`${kind}2.html`, datetime(1)] as const),
    ["edited2.html", datetime(2)] as const,
  ]);
  const expectTruth = (folder: string) => {
    const told = entriesOf(folder, SITE)
      .slice(2 * names.length)
      .map(({ loc, metadata = {} }) => {
        const value = (of: string) => foreign(metadata, of) ?? "";
        const words = [
          metadata.change,
          loc.slice(SITE.length),
          value("importance"),
          value("moved"),
        ];
        return words.filter((word) => word !== "").join(" ");
      });
    expect(told.sort()).toEqual(truth);
    const { entries } = readDocumentSync(readFileSync(join(folder, "resourcelist.xml")));
    const shown = entries.map(({ loc, metadata = {} }) => {
      return [loc.slice(SITE.length), foreign(metadata, "changed")] as const;
    });
    const moved = shown.filter(([name]) => dates.has(name)).sort();
    expect(moved).toEqual([...dates].sort());
  };
  expectTruth(continued);
  const folder = repository.path("public");
  await emit(options(folder, "none"), environment(3));
  expectTruth(folder);
  repository.git("clean", "-dfqx");
  await backfill(options(folder, "output"), {}, environment(3));
  expectTruth(folder);
});

const RUNS = Number(process.env.HISTORY_RUNS ?? rounds(12, 200));

/** A committed folder is read from git; a build that changes nothing has each commit checked out and compared. */
const builds = [undefined, "true"];

/** Clocks go on, stand still, and go back; some commits come from the future. */
const apart = fc.constantFrom(0, 1, 2, 3600, DAY, -1, -DAY, 90 * DAY);

test("first run and backfill tell a random past alike, entry by entry", async () => {
  const options = fc.record({
    collections: fc.constantFrom<string[]>([], ["/", "shrine"]),
    news: fc.constantFrom("new", "content"),
    excerpts: fc.constantFrom(true, true, true, false),
    messages: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(siteScript(apart), options, fc.nat(9), async (script, options, days) => {
      using repository = createRepository();
      const commits = commitsOf(script);
      commitSite(repository, "public", commits, BEGINNING);
      const folder = repository.path("public");
      const site = { ...options, folder, url: SITE, anyFolder: true };
      const clock = () => BEGINNING + days * DAY;
      const environment = { clock, fileSystem: QUICK_DISK };
      await emit({ ...site, previous: "none" }, environment);
      const told = toldIn(folder);
      expect(told.length).toBeGreaterThan(0);
      for (const build of builds) {
        repository.git("clean", "-dfqx");
        const past = { build, folder: "public", project: repository.root };
        await backfill({ ...site, previous: "output" }, past, environment);
        expect(toldIn(folder)).toEqual(told);
      }
    }),
    { numRuns: RUNS },
  );
});

/** Each collection's log and Resource List, whole. */
function toldIn(folder: string): readonly (readonly Entry[])[] {
  return ["", "shrine/"].flatMap((path) => {
    if (!existsSync(join(folder, path, "resourcelist.xml"))) return [];
    const list = readDocumentSync(readFileSync(join(folder, path, "resourcelist.xml")));
    return [entriesOf(folder, SITE, path), list.entries];
  });
}

function foreign(metadata: Metadata, of: string): string | undefined {
  return metadata.foreign?.find(({ name }) => name === of)?.value;
}

/** What feeds call each page; the home page has the site's title. */
function namesOf(folder: string): string[] {
  return entriesOf(folder, SITE).map(({ loc, metadata: { change, foreign = [] } = {} }) => {
    const value = (of: string) => foreign.find(({ name }) => name === of)?.value;
    return `${change} /${loc.slice(SITE.length)} ${value("name") || value("title")}`;
  });
}

function titlesAlone(folder: string): string[] {
  return worthOf(folder).map((line) => line.replace(" minor ", " "));
}

function worthOf(folder: string): string[] {
  return entriesOf(folder, SITE).map(({ loc, metadata = {} }) => {
    const value = (of: string) => metadata.foreign?.find(({ name }) => name === of)?.value;
    const words = [
      metadata.change,
      value("importance"),
      `/${loc.slice(SITE.length)}`,
      value("title"),
      value("moved"),
    ];
    return words.filter((word) => word !== undefined).join(" ");
  });
}

/** Commits the site, and publishes it as a run after each commit would have. */
async function commit(repository: TestRepository, continued: string, style: Style, day: number) {
  await commitFiles(repository, continued, filesOf(style), day);
}

async function commitFiles(
  repository: TestRepository,
  continued: string,
  files: ReadonlyMap<string, string | Buffer>,
  day: number,
) {
  const time = BEGINNING + day * DAY;
  for (const [name, contents] of files) {
    repository.write(`public/${name}`, contents);
    writeFileSync(join(continued, name), contents);
    utimesSync(join(continued, name), time, time);
  }
  repository.commit(time);
  await emit({ ...options(continued, "output"), history: "files" }, environment(day));
}

function options(folder: string, previous: string) {
  return { folder, url: SITE, previous, include: ["**/*.txt", "scrap.html"], anyFolder: true };
}

function environment(day: number) {
  return { clock: () => BEGINNING + day * DAY, fileSystem: QUICK_DISK };
}

function datetime(day: number): string {
  return new Date((BEGINNING + day * DAY) * 1000).toISOString().replace(".000", "");
}

function byTimeAndPath(line: string): string {
  return line.replace(/ .* /, " ");
}
