import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostileText } from "../../feeds/test/support/hostile-feeds.ts";
import { childrenOf, descendantsOf, parseXml, textOf } from "../../feeds/test/support/xml.ts";
import { opml, readFeedList, SITE_LIST_LIMITS } from "../src/opml.ts";
import { readSiteList } from "../src/site-list.ts";
import { EXPORTS } from "./support/opml-exports.ts";

const MOSS = "https://example.org/moss/";
const FERNS = "https://ferns.example/";

const addressesIn = (text: string) => readSiteList(text).sites.map(({ address }) => address);

function inOpml(...outlines: readonly string[]): string {
  return `<opml version="2.0"><head/><body>${outlines.join("")}</body></opml>`;
}

describe("an OPML file of feeds", () => {
  const feeds = [
    { title: "Moss & more", xmlUrl: "example.org/moss.atom", htmlUrl: MOSS },
    { title: " ", xmlUrl: "https://feeds.example/2.atom" },
  ];

  test("names each feed, where it is and what it is about", () => {
    const root = parseXml(opml(feeds, "My shrines"));
    expect(root).toMatchObject({ name: "opml", attributes: { version: "2.0" } });
    expect(descendantsOf(root, "title").map(textOf)).toEqual(["My shrines"]);
    expect(descendantsOf(root, "outline").map(({ attributes }) => attributes)).toEqual([
      {
        type: "rss",
        text: "Moss & more",
        title: "Moss & more",
        xmlUrl: "example.org/moss.atom",
        htmlUrl: MOSS,
      },
      {
        type: "rss",
        text: "feeds.example/2.atom",
        title: "feeds.example/2.atom",
        xmlUrl: "https://feeds.example/2.atom",
      },
    ]);
  });

  test("has no addresses but those of the web", () => {
    const htmlUrl = "javascript:alert(1)";
    const [outline] = descendantsOf(
      parseXml(opml([{ title: "x", xmlUrl: "x", htmlUrl }])),
      "outline",
    );
    expect(outline?.attributes).not.toHaveProperty("htmlUrl");
  });

  test("is well-formed whatever the titles are, and gives its sites when it is read", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.webUrl()), hostileText, (urls, title) => {
        const sites = [...new Set(urls.map((url) => new URL(url).href))];
        const text = opml(
          sites.map((htmlUrl) => ({ title, xmlUrl: "x.atom", htmlUrl })),
          title,
        );
        const [, body] = childrenOf(parseXml(text));
        expect(body === undefined ? [] : childrenOf(body)).toHaveLength(sites.length);
        expect(addressesIn(text)).toEqual(sites);
      }),
    );
  });

  test("has a folder for each label, and gives names and labels when it is read", () => {
    const text = opml([
      { title: "Ferns", xmlUrl: `${FERNS}feed`, htmlUrl: FERNS, labels: ["b", "a & c"] },
      { title: "Moss", xmlUrl: `${MOSS}feed`, htmlUrl: MOSS, labels: [] },
      { title: "", xmlUrl: `${FERNS}more`, htmlUrl: "https://more.example/", labels: ["b"] },
    ]);
    const [, body] = childrenOf(parseXml(text));
    expect(body && childrenOf(body).map(({ attributes }) => attributes.text)).toEqual([
      "Moss",
      "a & c",
      "b",
    ]);
    expect(readSiteList(text).sites).toEqual([
      { address: MOSS, name: "Moss", labels: [] },
      { address: FERNS, name: "Ferns", labels: ["a & c", "b"] },
      // What is its address is no name.
      { address: "https://more.example/", name: undefined, labels: ["b"] },
    ]);
    expect(opml(readFeedList(text))).toBe(text);
  });
});

test("an address is no name, however it is spelled", () => {
  const names = [
    "https://bücher.example/",
    "HTTPS://Bücher.example",
    "https://bücher.example/feed",
  ];
  for (const name of names) {
    const text = inOpml(
      `<outline text="${name}" xmlUrl="https://bücher.example/feed" htmlUrl="https://bücher.example/"/>`,
    );
    expect([name, readSiteList(text).sites[0]?.name]).toEqual([name, undefined]);
  }
});

test.each(EXPORTS)("an export of $reader has names and labels", ({ text, sites }) => {
  expect(readSiteList(text)).toEqual({ sites, refused: [] });
});

describe("an OPML file is read", () => {
  test.each([
    [
      "the site, where site and feed are there",
      [`xmlUrl="${FERNS}feed" htmlUrl="${MOSS}"`],
      [MOSS],
    ],
    ["the feed, where there is no site", [`xmlUrl="${FERNS}feed"`], [`${FERNS}feed`]],
    ["the feed, where the site is none", [`xmlUrl="${MOSS}" htmlUrl="moss"`], [MOSS]],
    [
      "other spellings of the attributes",
      [`htmlurl="${MOSS}"`, `XMLURL="${FERNS}"`],
      [MOSS, FERNS],
    ],
    ["each site once", [`htmlUrl="${MOSS}"`, `htmlUrl="HTTPS://EXAMPLE.org/moss/"`], [MOSS]],
    [
      "the feed with a scheme, where the site has none",
      [`xmlUrl="${MOSS}" htmlUrl="i.html"`],
      [MOSS],
    ],
    ["addresses without a scheme", [`xmlUrl="moss.example/feed"`], ["moss.example/feed"]],
    ["feed:// for one", [`xmlUrl="feed://moss.example/feed"`], ["moss.example/feed"]],
    [
      "feed: before one",
      [`xmlUrl="feed:${MOSS}"`, `xmlUrl="FEED:http://a.example"`],
      [MOSS, "http://a.example/"],
    ],
    [
      "an ampersand that should be a reference",
      [`xmlUrl="${MOSS}?a=1&b=2&amp;c=3&"`],
      [`${MOSS}?a=1&b=2&c=3&`],
    ],
    ["references", [`htmlUrl="${MOSS}?a=1&amp;b=&#50;"`], [`${MOSS}?a=1&b=2`]],
    ["no folders", [`text="Plants"`], []],
  ])("for %s", (_, outlines, sites) => {
    expect(addressesIn(inOpml(...outlines.map((one) => `<outline ${one}/>`)))).toEqual(sites);
  });

  test.each([
    ["another scheme", `htmlUrl="javascript:alert(1)"`, "javascript:alert(1)"],
    ["a file", `xmlUrl="file:///etc/passwd" htmlUrl=""`, "file:///etc/passwd"],
    ["a word", `xmlUrl="moss"`, "moss"],
    ["a password", `xmlUrl="https://me:secret@moss.example/"`, "https://…@moss.example/"],
    ["a feed without an address", `type="rss"`, "a&b"],
    ["an endless one", `xmlUrl="${MOSS}${"a".repeat(2_000)}"`, `${MOSS}aaa`],
  ])("and %s is named, with its line, and the others are followed", (_, outline, address) => {
    const text = inOpml(
      "\n\n",
      `<outline htmlUrl="${FERNS}"/>\r\n<outline text="a&b"\n ${outline}/>`,
      `<outline xmlUrl="${MOSS}"/>`,
    );
    const { sites, refused } = readSiteList(`\n${text}`);
    expect(sites.map((site) => site.address)).toEqual([FERNS, MOSS]);
    expect(refused).toMatchObject([
      { problem: expect.stringContaining(`Line 5 is no address: "${address}`) },
    ]);
    expect(JSON.stringify(refused)).not.toContain("secret");
  });

  test.each([
    ["ISO-8859-1", "latin1"],
    ["windows-1252", "latin1"],
    ["UTF-8", "utf8"],
    ["nothing", "utf8"],
    ["UTF-16", "utf16le"],
  ] as const)("in its encoding, %s", (encoding, bytes) => {
    const mark = bytes === "utf16le" ? "\ufeff" : "";
    const outline = `<outline text="Fougères" xmlUrl="https://fougères.example/été"/>`;
    const text = `${mark}<?xml version="1.0" encoding="${encoding}"?>${inOpml(outline)}`;
    const site = { address: "https://xn--fougres-5xa.example/%C3%A9t%C3%A9", name: "Fougères" };
    expect(readSiteList(Buffer.from(text, bytes)).sites).toMatchObject([site]);
    expect(readSiteList(text).sites).toMatchObject([site]);
  });

  test("with the dashes of windows-1252", () => {
    const outline = '<outline text="Moss \x97 a log" xmlUrl="https://moss.example/"/>';
    const text = `<?xml version="1.0" encoding="windows-1252"?>${inOpml(outline)}`;
    expect(readSiteList(Buffer.from(text, "latin1")).sites).toMatchObject([
      { name: "Moss — a log" },
    ]);
  });

  test("in folders within folders, after a byte order mark and blanks", () => {
    const outline = `<outline text="Plants"><outline><outline htmlUrl="${MOSS}"/></outline></outline>`;
    const text = `\ufeff\n<?xml version="1.0"?>${inOpml(outline, `<outline htmlUrl="${FERNS}"/>`)}`;
    expect(addressesIn(text)).toEqual([MOSS, FERNS]);
  });

  test.each([
    ["a page", "<!DOCTYPE html><html></html>", /DOCTYPE/],
    ["a feed", "<feed/>", /its root is feed/],
    ["a file with a DOCTYPE", `<!DOCTYPE opml SYSTEM "x">${inOpml()}`, /DOCTYPE/],
    ["a file with entities of its own", inOpml("&moss;"), /entity/],
    ["a file that was cut off", inOpml().slice(0, -3), /line 1/],
    ["markup that is not well-formed", `\n\n${inOpml("\n<outline>")}`, /line 4, column \d+/],
  ])("never if it is %s", (_, text, problem) => {
    expect(() => readSiteList(text)).toThrow(expect.objectContaining({ code: "NOT_OPML" }));
    expect(() => readSiteList(text)).toThrow(problem);
  });

  test("within bounds", () => {
    const { depth, length, sites } = SITE_LIST_LIMITS;
    const deep = "<outline>".repeat(depth) + "</outline>".repeat(depth);
    const many = Array.from({ length: sites + 1 }, (_, at) => `<outline xmlUrl="http://a/${at}"/>`);
    for (const text of [inOpml(deep), inOpml(...many), " ".repeat(length + 1)]) {
      expect(() => readSiteList(text)).toThrow(
        expect.objectContaining({ code: "SITE_LIST_LIMIT" }),
      );
    }
  });
});

describe("a list of sites", () => {
  test.each([
    ["an address a line", `${MOSS}\n${FERNS}`, [MOSS, FERNS]],
    [
      "any line ends, blanks and a byte order mark",
      `\ufeff ${MOSS}\r\n\r\n\t${FERNS} \r`,
      [MOSS, FERNS],
    ],
    ["comments", `# plants\n${MOSS} # of Ida\n#${FERNS}\n`, [MOSS]],
    ["fragments", `${MOSS}#peat\n`, [MOSS]],
    ["feed:// and feed:", `feed://moss.example\nfeed:${MOSS}\n`, ["moss.example/", MOSS]],
    ["addresses without a scheme", "example.org\n", ["example.org/"]],
    ["an address twice", `${MOSS}\n${FERNS}\n${MOSS}\n`, [MOSS, FERNS]],
    ["nothing", "\n# nothing yet\n", []],
    ["OPML", inOpml(`<outline xmlUrl="${MOSS}"/>`), [MOSS]],
  ])("may hold %s", (_, text, sites) => {
    expect(readSiteList(text).refused).toEqual([]);
    expect(addressesIn(text)).toEqual(sites);
  });

  test.each([
    ["two addresses", `\n${MOSS} ${FERNS}\n`, 2],
    ["controls", `\n\n${FERNS}\u0001`, 3],
    ["a line without end", `${FERNS}\n${FERNS}${"a".repeat(2_000)}`, 2],
    ["no address", "# mine\r\nlichen", 2],
    ["a password", `https://me:secret@${new URL(MOSS).host}/`, 1],
  ])("may not hold %s in a line, which is named, and the others are read", (_, text, line) => {
    const { sites, refused } = readSiteList(`${text}\n${MOSS}`);
    expect(sites.at(-1)).toMatchObject({ address: MOSS });
    expect(refused).toEqual([
      {
        address: expect.any(String),
        problem: expect.stringMatching(`^Line ${line} is no address`),
      },
    ]);
    expect(JSON.stringify(refused)).not.toContain("secret");
  });

  test("is bounded", () => {
    const { length, sites } = SITE_LIST_LIMITS;
    const many = Array.from({ length: sites + 1 }, (_, at) => `http://a/${at}`).join("\n");
    expect(() => readSiteList(many)).toThrow(expect.objectContaining({ code: "SITE_LIST_LIMIT" }));
    expect(() => readSiteList(many.replaceAll("http:", ""))).toThrow(
      expect.objectContaining({ code: "SITE_LIST_LIMIT" }),
    );
    expect(() => readSiteList("#".repeat(length + 1))).toThrow(
      expect.objectContaining({ code: "SITE_LIST_LIMIT" }),
    );
  });
});
