import { describe, expect, test } from "vitest";
import { rewriteDocuments } from "../../../test/format/rewrite.ts";
import { type RunOptions, TestSite } from "./support/site.ts";

type Pages = Readonly<Record<string, string>>;

const page = (body: string, title = "My garden") => `<title>${title}</title><main>${body}</main>`;

/** What a publication says of each updated page: its quotes, or that it is minor. */
async function told(before: Pages, now: Pages, options: RunOptions = {}) {
  const site = new TestSite({ allowMassDelete: true });
  for (const [path, html] of Object.entries(before)) site.write(path, html);
  await site.publish("2026-10-01T12:00:00Z", options);
  for (const path of Object.keys(before)) site.remove(path);
  for (const [path, html] of Object.entries(now)) site.write(path, html);
  const { collections } = await site.publish("2026-10-02T12:00:00Z", options);
  const updated = collections.flatMap(({ changes }) =>
    changes.filter(({ kind }) => kind === "updated"),
  );
  return Object.fromEntries(
    updated.map(({ url, minor, quotes }) => {
      const shown = quotes?.shown.map(({ text, host, pictures }) => text || host || pictures);
      return [new URL(url).pathname, minor ? "minor" : (shown ?? [])] as const;
    }),
  );
}

const one = async (before: string, now: string) =>
  (await told({ "index.html": page(before) }, { "index.html": page(now) }))["/"];

const LONG = "We keep bees on the roof of the library and write down what they do each week";

describe("a correction is minor", () => {
  test.each([
    [
      "how long ago a page was made",
      '<p>moss <p>by Ada Moss, <time datetime="2026-08-02">last month</time><p><time datetime="2026-08-02">a month ago</time>',
      '<p>moss <p>by Ada Moss, <time datetime="2026-08-02">2 months ago</time><p><time datetime="2026-08-02">2 months ago</time>',
    ],
    ...[
      "Last updated: 2 October 2026, 12:03",
      "Última atualização: 2 de outubro de 2026 às 12:03",
      "Última actualización: 2 de octubre de 2026 a las 12:03",
      "Ultimo aggiornamento: 2 ottobre 2026 alle 12:03",
      "Laatst bijgewerkt op 2 oktober 2026 om 12:03",
      "Mise à jour : 2 octobre 2026 à 12:03",
      "This page was last edited on 2 October 2026, at 12:03 (UTC).",
      "Zuletzt bearbeitet am 2. Oktober 2026 um 12:03 Uhr",
      "Stand: 2. Oktober 2026, 12:03 Uhr",
      "Last commit: 2026-10-02 12:03",
      "As of: 12:03",
      "最終更新 2026年10月2日 12:03",
    ].map((line): [string, string, string] => {
      return [line, `<p>moss<p>${line}`, `<p>moss<p>${line.replace("12:03", "14:55")}`];
    }),
    ...["vor 2 Monaten", "il y a 2 mois", "hace 2 meses", "2 mesi fa", "3日前"].map(
      (ago): [string, string, string] => [ago, "<p>moss", `<p>moss<p>${ago}`],
    ),
    ["a sign that is no emoji", "<p>moss", "<p>moss<p>♬"],
    ["a letter", "<p>here is teh moss of our wall", "<p>here is the moss of our wall"],
    ["a comma", `<p>${LONG}`, `<p>${LONG.replace("library", "library,")}`],
    ["a word of a long sentence", `<p>${LONG}`, `<p>${LONG.replace("week", "month")}`],
    ["a dash between hours", "<p>Sat 9:00-17:00", "<p>Sat 9:00 – 17:00"],
    [
      "a letter beside hours",
      "<p>Open 9:00 to 17:00 in teh hall",
      "<p>Open 9:00 to 17:00 in the hall",
    ],
    ["the year of rights", "<p>© 2025 by Moss", "<p>© 2026 by Moss"],
    ["a count", "<h2>Posts (7)</h2>", "<h2>Posts (8)</h2>"],
    ["a letter in a text field", `<textarea>${LONG}`, `<textarea>${LONG.replace("bees", "beees")}`],
    ["case and punctuation", "<p>wild knots", "<p>Wild knots!"],
    ["brackets, bullets, emoji", "<p>wild knots<p>an owl", "<p>• [Wild] (knots) ✨<p>🦉 an “owl”"],
    [
      "an icon of a font",
      "<h2>Knots</h2><p>an owl at night",
      "<h2>Knots \uf021</h2><p>\u{f01c7} an owl at night",
    ],
    ["what nobody sees", "<p>wild knots", "<p>wi\u00adld\u200b knots\ufeff"],
    ["a ligature, and wide letters", "<p>find the flag<p>A 12", "<p>ﬁnd the ﬂag<p>Ａ １２"],
    ["a removal", "<p>one moss<p>two ferns", "<p>one moss"],
    ["an order", "<p>one moss<p>two ferns", "<p>two ferns<p>one moss"],
    ["an element", "<h2>The old wall</h2>", "<h1>The old wall</h1>"],
    ["a line break", "<p>one moss two", "<p>one<br>moss<br>two".replaceAll("<br>", " <b></b>")],
    [
      "another link",
      '<p><a href="a.html">See the wall</a>',
      '<p><a href="b.html">See the wall</a>',
    ],
    [
      "an image's description alone",
      '<img src="a.png" alt="moss">',
      '<img src="a.png" alt="fern">',
    ],
    [
      "another folder of files",
      '<a href="pdf/moss/map.pdf">PDF</a>',
      '<a href="doc/moss/map.pdf">PDF</a>',
    ],
    ["another file of a picture", '<img src="a.png" alt="moss">', '<img src="b.webp" alt="moss">'],
    [
      "a builder's digest in a file's name",
      '<p><a href="f/map.3f2a9c1e.pdf">A map</a>',
      '<p><a href="f/map.b7d04e55.pdf">A map</a>',
    ],
    [
      "another number and link of a section",
      "<h2 id=x>1 <a href=#x>Wild knots of moss</a></h2>",
      "<h2 id=x>1.2. Wild knots of moss <a href=#x>⚓</a></h2>",
    ],
    ["a Japanese date", "<p>moss", "<p>moss<p>2025年7月2日(水)"],
    ["a Korean date", "<p>moss", "<p>moss<p>2025년 7월 2일 수요일"],
    ["a Chinese date", "<p>moss", "<p>moss<p>更新于 2025年7月2日 星期三"],
    [
      "a letter of Thai",
      "<p>เราเลี้ยงผึ้งไว้บนหลังคาห้องสมุดและจดทุกสิ่งที่ผึ้งทำ",
      "<p>เราเลี้ยงผึ้งไว้บนหลังคาห้องสมุดและจดทุกสิ่งที่ผึงทำ",
    ],
    ["the way back from a footnote", "<p>moss", "<p>moss <p><a href=#f>↩︎</a>"],
    [
      "the time of a build",
      "<p>Page generated at 10:32:11 by hand",
      "<p>Page generated at 11:47:52 by hand",
    ],
  ])("%s", async (_, before, now) => {
    expect(await one(before, now)).toBe("minor");
  });
});

describe("no change of content, so that no date moves", () => {
  test.each([
    ["a query of a build", '<img src="a.png?v=1">', '<img src="a.png?v=2">'],
    [
      "a digest of a build",
      '<img src="/_a/moss-3f9ac21b.png">',
      '<img src="/_a/moss-81c0ffe2.png">',
    ],
    [
      "an id and the links to it",
      '<a href="#fn-x1">1</a><p id="fn-x1">a',
      '<a href="#fn-y2">1</a><p id="fn-y2">a',
    ],
    [
      "a token",
      "<form><input type=hidden name=t value=1>a</form>",
      "<form><input type=hidden name=t value=2>a</form>",
    ],
    ["where a form leads", "<form action=/a>a</form>", "<form action=/b>a</form>"],
    ["a spelling of an address", '<a href="about.html">us</a>', '<a href="./about.html">us</a>'],
    ["an address from the root", '<a href="about.html">us</a>', '<a href="/about.html">us</a>'],
    ["a composed letter", "<p>café", "<p>cafe\u0301"],
    ["what a box is called", "<input type=checkbox value=a>b", "<input type=checkbox value=c>b"],
  ])("%s", async (_, before, now) => {
    const site = new TestSite().write("index.html", page(before));
    await site.publish("2026-10-01T12:00:00Z");
    const changed = / emit:changed="[^"]*"/.exec(site.read("resourcelist.xml"))?.[0];
    const { collections } = await site
      .write("index.html", page(now))
      .publish("2026-10-02T12:00:00Z");
    expect(collections[0]?.changes).toMatchObject([{ kind: "updated", minor: true }]);
    expect(site.read("resourcelist.xml")).toContain(changed);
  });

  test("but a correction moves it", async () => {
    const site = new TestSite().write(
      "index.html",
      page("<p>the moss is gren on our old wall of stone by the river"),
    );
    await site.publish("2026-10-01T12:00:00Z");
    site.write(
      "index.html",
      page("<p>the moss is green on our old wall of stone by the river"),
      "2026-10-02T08:00:00Z",
    );
    await site.publish("2026-10-02T12:00:00Z");
    expect(site.read("resourcelist.xml")).toContain('emit:changed="2026-10-02T08:00:00Z"');
    expect(site.read("changelist/2026-10.xml")).toContain('emit:changed="2026-10-02T08:00:00Z"');
  });
});

describe("news", () => {
  test.each([
    [
      "a Japanese sentence that goes on behind a quotation",
      "<p>苔の庭へ",
      "<p>苔の庭へ<p>「池の水を抜きました。」の話を書きました。まだ続きます。",
      ["「池の水を抜きました。」の話を書きました。", "まだ続きます。"],
    ],
    [
      "a short text beside another that is gone",
      "<table><tr><td>すきなもの<td>自分<tr><td>嫌いなもの<td>自分以外</table>",
      "<table><tr><td>すきなもの<td>PC<tr><td>嫌いなもの<td>課題、責任、義務</table>",
      ["すきなもの PC", "嫌いなもの 課題、責任、義務"],
    ],
    ["a paragraph in Thai", "<p>เราเลี้ยงผึ้ง", "<p>เราเลี้ยงผึ้ง<p>มอสขึ้นบนกำแพงเก่า", ["มอสขึ้นบนกำแพงเก่า"]],
    ["a paragraph in Khmer", "<p>យើង", "<p>យើង<p>ស្លែដុះលើជញ្ជាំងចាស់", ["ស្លែដុះលើជញ្ជាំងចាស់"]],
    ["a paragraph", "<p>one moss", "<p>one moss<p>a fern at the wall", ["a fern at the wall"]],
    [
      "a sentence behind a short one",
      "<p>A note on Moss that grows slowly in this garden.",
      "<p>A note on Moss that grows slowly in this garden. Moss holds nine times its weight in water.",
      ["Moss holds nine times its weight in water."],
    ],
    [
      "a sentence before one",
      "<p>i like it so. it holds nine times its weight in water",
      "<p>i like it so. the old wall is full of it! it holds nine times its weight in water",
      ["the old wall is full of it!"],
    ],
    [
      "a sentence in a row of a table",
      "<table><tr><td>Pond<td>Ice.</table>",
      "<table><tr><td>Pond<td>Ice. We skated all day long</table>",
      ["We skated all day long"],
    ],
    [
      "a sentence with abbreviations, in its whole",
      "<p>Moss is near.",
      "<p>Moss is near. St. Patrick met Dr. J. Fern on the 1. May beside ca. 5 old trees.",
      ["St. Patrick met Dr. J. Fern on the 1. May beside ca. 5 old trees."],
    ],
    [
      "a sentence before an emoji",
      "<p>i like it so.",
      "<p>i like it so. the ice is gone! 🎉 the frogs are back",
      ["the ice is gone! 🎉", "the frogs are back"],
    ],
    [
      "a sentence before emoji of several characters",
      "<p>i like it so.",
      "<p>i like it so. the ice is gone! 👩🏽‍🌾 the frogs are back. 🇩🇪👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 so are newts",
      ["the ice is gone! 👩🏽‍🌾", "the frogs are back. 🇩🇪👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "so are newts"],
    ],
    [
      "a sentence beside one that is hidden",
      "<p>i like it so.",
      "<p>i like it so. <b hidden>nobody sees this.</b> the frogs are back",
      ["the frogs are back"],
    ],
    [
      "a sentence with a bracket, in its whole",
      "<p>i like it so.",
      "<p>i like it so. the ice is gone (who knows why? not me) since noon",
      ["the ice is gone (who knows why? not me) since noon"],
    ],
    [
      "a sentence in Japanese with a bracket",
      "<p>ようこそ、私の庭へ。",
      "<p>ようこそ、私の庭へ。<p>庭の柵を直しました(一週間もかかった！！)",
      ["庭の柵を直しました(一週間もかかった！！)"],
    ],
    [
      "behind a label without a blank",
      "<p>Status:asleep at last",
      "<p>Status:awake for good",
      ["awake for good"],
    ],
    [
      "a sentence in Japanese",
      "<p>苔は壁に生える。",
      "<p>苔は壁に生える。池の氷はもう溶けた。",
      ["池の氷はもう溶けた。"],
    ],
    [
      "a replaced statement",
      "<p>The spring fair is on the green this Sunday",
      "<p>Come to our winter market in the old mill",
      ["Come to our winter market in the old mill"],
    ],
    ["a sign that is part of a word", "<p>I learn C", "<p>I learn C++", ["I learn C++"]],
    ["a currency", "<p>costs 50", "<p>costs € 50", ["costs € 50"]],
    ["a share", "<p>done: 50", "<p>done: 50 % so far", ["done: 50 % so far"]],
    ["a text of signs alone", "<p>moss", "<p>moss<p>🦉🦉", ["🦉🦉"]],
    ["a short one", "<p>arXiv, 2023", "<p>CVPR 2025 (Oral)", ["CVPR 2025 (Oral)"]],
    [
      "opening hours",
      "<p>We are open 9:00 to 17:00",
      "<p>We are open 11:00 to 15:00",
      ["We are open 11:00 to 15:00"],
    ],
    [
      "hours beside other words",
      "<p>We are open on Saturdays from 9:00 to 17:00 in the old mill by the river",
      "<p>We are open on Sundays from 11:00 to 15:00 in the old mill by the river",
      ["We are open on Sundays from 11:00 to 15:00 in the old mill by the river"],
    ],
    [
      "hours in Japanese",
      "<p>この庭園の営業時間は毎日 ９：００ から １７：００ までとなっております",
      "<p>この庭園の営業時間は毎日 １０：００ から １５：００ までとなっております",
      ["この庭園の営業時間は毎日 １０：００ から １５：００ までとなっております"],
    ],
    [
      "a price in Arabic digits",
      "<p>هذا الدرس في الحديقة كل يوم سبت ويكلف ٤٥ € لكل شخص",
      "<p>هذا الدرس في الحديقة كل يوم سبت ويكلف ٨٥ € لكل شخص",
      ["هذا الدرس في الحديقة كل يوم سبت ويكلف ٨٥ € لكل شخص"],
    ],
    [
      "a price in yen",
      "<p>大人の入園料は一人あたり 450円 となっております",
      "<p>大人の入園料は一人あたり 850円 となっております",
      ["大人の入園料は一人あたり 850円 となっております"],
    ],
    ["hours alone", "<p>Sat 9:00–17:00", "<p>Sat 10:00–15:00", ["Sat 10:00–15:00"]],
    ["a price", "<p>The class costs 45 €", "<p>The class costs 85 €", ["The class costs 85 €"]],
    [
      "a version",
      "<p>Get version 1.4.2 today",
      "<p>Get version 2.0.0 today",
      ["Get version 2.0.0 today"],
    ],
    [
      "behind a label",
      "<p>Now playing: Hey What",
      "<p>Now playing: Bark Psychosis",
      ["Bark Psychosis"],
    ],
    [
      "behind a label that is new too",
      "<p>moss",
      "<p>moss<p>New photo: the ferns at last",
      ["the ferns at last"],
    ],
    [
      "in a heading behind a label",
      "<h2>Now playing: Hey What</h2><p>moss",
      "<h2>Now playing: Bark Psychosis</h2><p>moss",
      ["Bark Psychosis"],
    ],
    ["with a date in a word", "<p>苔の庭", "<p>苔の庭<p>6月18日生まれ", ["6月18日生まれ"]],
    ["without an address", "<p>moss", "<p>moss<p>ada@moss.example<p>mail me", ["mail me"]],
    [
      "in a heading in another's place",
      "<h2>Shop open</h2><p>moss",
      "<h2>Sold out!</h2><p>moss",
      ["Sold out!"],
    ],
    [
      "with another heading",
      "<h2>My work</h2><p>moss",
      "<h2>My artwork</h2><p>moss<p>ferns of May",
      ["ferns of May", "My artwork"],
    ],
    [
      "without a bracket that a date closes",
      "<p>moss",
      "<p>moss<p>Ferns and more (latest: 28 May 2024)",
      ["Ferns and more"],
    ],
    ["a typed bullet", "<p>moss", "<p>moss<p>- added a pond", ["added a pond"]],
    [
      "no number as a bullet",
      "<p>moss",
      "<p>moss<p>- 5 degrees at night",
      ["- 5 degrees at night"],
    ],
    ["arrows of a ring", "<p>moss", "<p>moss<p>←the moss ring→", ["the moss ring"]],
    ["a quotation behind a date", "<p>moss", "<p>moss<p>11/3: 'be' | pond", ["'be' | pond"]],
    ["brackets behind a date", "<p>moss", "<p>moss<p>3 May 2025 (at sea)", ["(at sea)"]],
    [
      "a month that is said",
      "<p>moss",
      "<p>moss<p>Buch erscheint November 2025",
      ["Buch erscheint November 2025"],
    ],
    ["a time behind its label", "<p>Doors: 19:00", "<p>Doors: 20:00", ["Doors: 20:00"]],
    [
      "hours behind their label",
      "<p>Opening hours: 10:00 – 16:00",
      "<p>Opening hours: 11:00 – 15:00",
      ["Opening hours: 11:00 – 15:00"],
    ],
    ["a version behind its label", "<p>Version: 1.2.3", "<p>Version: 1.2.4", ["Version: 1.2.4"]],
    [
      "a time that stood behind another label",
      "<p>Doors: 19:00<p>Show: 20:00",
      "<p>Doors: 20:00<p>Show: 21:00",
      ["Doors: 20:00", "Show: 21:00"],
    ],
    [
      "a price beside a stamp",
      "<p>The edited book costs $20",
      "<p>The edited book costs $25",
      ["The edited book costs $25"],
    ],
    ["a short sentence", "<p>moss", "<p>moss<p>Heute um 20:00 Uhr!", ["Heute um 20:00 Uhr!"]],
    ["a title with a date", "<p>moss", "<p>moss<p>2024-05-28 Wild knots", ["Wild knots"]],
    ["a link of one word", "<p>moss", '<p>moss<p><a href="p.html">Portfolio</a>', ["Portfolio"]],
    ["a picture", "<p>moss", '<p>moss<img src="p.png" alt="palindromic">', ["palindromic"]],
    ["a picture by its name", "<p>moss", '<p>moss<img src="wall.png">', ["wall"]],
    [
      "a picture with the name of a machine",
      "<p>moss",
      '<p>moss<img src="f12ad9af56f6390b.jpg">',
      [1],
    ],
    ["a number of a camera", "<p>moss", '<p>moss<img src="IMG_2034.jpg">', [1]],
    ["a random name", "<p>moss", '<p>moss<img src="Gg7RBUt.jpg">', [1]],
    [
      "few pictures by their names",
      "<p>moss",
      '<p>moss<img src="pond.jpg"><img src="wall.jpg">',
      ["pond", "wall"],
    ],
    [
      "a picture without words as one, beside a text",
      "<p>moss",
      '<p>moss<img src="dmfm.jpg"><p>dial m for murder',
      ["dial m for murder", 1],
    ],
    ["what a program numbers", "<p>moss", '<p>moss<img src="q512w1920h1440x-480.png">', [1]],
    [
      "an embed by its host, behind a sentence",
      "<p>moss",
      '<p>moss<iframe src="https://www.chat.example/box/?id=77"></iframe><p>a chat is here',
      ["a chat is here", "chat.example"],
    ],
    [
      "another video",
      '<iframe src="https://video.example/aaa"></iframe>',
      '<iframe src="https://video.example/bbb"></iframe>',
      ["video.example"],
    ],
    [
      "a page of the site in a frame",
      "<p>moss",
      '<p>moss<iframe src="a.html"></iframe>',
      ["a.html"],
    ],
    ["pictures as one", "<p>moss", '<p>moss<img src="a.png"><img src="b.png">', [2]],
    [
      "a file of another folder",
      '<p>moss <a href="2025/map.pdf">A map</a>',
      '<p>moss <a href="2026/map.pdf">A map</a>',
      ["A map"],
    ],
    [
      "a picture in another format",
      '<p>moss<img src="fern.png">',
      '<p>moss<img src="fern.jpg">',
      ["fern"],
    ],
    ["a file by its words", "<p>moss", '<p>moss<p><a href="f/map.pdf">A map</a>', ["A map"]],
    [
      "a file by its words in two lines",
      "<p><a href=a.pdf>A map<br><i>(as PDF)</i></a>",
      "<p><a href=b.pdf>A map<br><i>(as PDF)</i></a>",
      ["A map (as PDF)"],
    ],
    [
      "a file that took another's place",
      '<a href="a.pdf">A map</a>',
      '<a href="b.pdf">A map</a>',
      ["A map"],
    ],
    [
      "additions first",
      "<p>old words are here<p>end",
      "<p>quite other things<p>end<h2>New wing</h2>",
      ["New wing", "quite other things"],
    ],
    ["what may not be quoted", "<p>moss", "<p>moss<pre>ls --moss /wall</pre>", []],
    [
      "a log of changes in a text field",
      `<textarea readonly>1 May: the pond has frogs now\n</textarea>`,
      `<textarea readonly>2 May: herons came, and left hungry\n1 May: the pond has frogs now\n</textarea>`,
      [],
    ],
    [
      "beside a hidden word",
      "<p>moss",
      '<p>moss<p><b style="display:none">x</b> The pond froze over last night<p>Photo by Ann',
      ["x The pond froze over last night", "Photo by Ann"],
    ],
    [
      "behind a click",
      "<p>moss",
      "<p>moss<details><summary>end</summary>He dies at the end</details>",
      ["end", "He dies at the end"],
    ],
    [
      "a row of a table",
      "<table><tr><td>a<td>b</table>",
      "<table><tr><td>a<td>b<tr><td>Red<td>2 : 1<td>Blue</table>",
      ["Red 2 : 1 Blue"],
    ],
  ])("%s", async (_, before, now, quotes) => {
    expect(await one(before, now)).toEqual(quotes);
  });

  test("but not a label whose text is not new", async () => {
    const now = "<p>Bread of today: rye<p>Soup: with moss";
    expect(await one("<p>Bread: rye<p>Soup: with moss", now)).toBe("minor");
  });

  test("a title without the site's name", async () => {
    const pages = {
      "a.html": page("a", "A – Moss"),
      "b.html": page("b", "B – Moss"),
      "c.html": page("c", "C – Moss"),
    };
    const now = { ...pages, "a.html": page("a", "Ferns of the wall – Moss") };
    expect(await told(pages, now)).toEqual({ "/a.html": ["Ferns of the wall"] });
    const renamed = Object.fromEntries(
      Object.entries(pages).map(([path, html]) => [path, html.replace("– Moss", "– Fernhollow")]),
    );
    expect(await told(pages, renamed)).toEqual({
      "/a.html": "minor",
      "/b.html": "minor",
      "/c.html": "minor",
    });
  });

  test.each([
    ["Tag: Database | My blog", "Tag: database | My blog"],
    ["Fan | Moss", "Fan"],
    ["Notes: Ferns in May | Moss", "Notes: Ferns in may | Moss"],
  ])("a title of which a part is spelled otherwise: %s, %s", async (before, now) => {
    const pages = (title: string) => ({ "a.html": page("a", title), "b.html": page("b", "B") });
    expect(await told(pages(before), pages(now))).toEqual({ "/a.html": "minor" });
  });

  test("the part of a title that is new; what two titles got is told once, and what three got is the site's", async () => {
    const names = ["Ami", "Fan", "Ice", "Moss", "Reed"];
    const pages = (more: (name: string) => string) =>
      Object.fromEntries(names.map((name) => [`${name}.html`, page("a", more(name))]));
    const named = (last: string) => pages((name) => (name <= last ? `${name} | Fernhollow` : name));
    expect(await told(pages(String), named("Fan"))).toEqual({
      "/Ami.html": ["Fernhollow"],
      "/Fan.html": "minor",
    });
    expect(await told(pages(String), named("Ice"))).toEqual({
      "/Ami.html": "minor",
      "/Fan.html": "minor",
      "/Ice.html": "minor",
    });
    const now = { ...named("Ice"), "Fan.html": page("a", "Fan: Jujutsu Kaisen | Fernhollow") };
    expect(await told(named("Ice"), now)).toEqual({ "/Fan.html": ["Jujutsu Kaisen"] });
  });

  test.each(["nosnippet", "noarchive, NOSNIPPET", "max-snippet:0"])(
    "told, not quoted: %s",
    async (words) => {
      const robots = `<meta name=robots content="${words}">`;
      const before = { "index.html": robots + page("<p>moss") };
      const now = { "index.html": robots + page("<p>moss<p>a fern at the wall") };
      expect(await told(before, now)).toEqual({ "/": [] });
    },
  );

  test("told, not quoted: a page that is not remembered", async () => {
    const before = { "index.html": page("<p>here is teh moss of our wall") };
    const now = { "index.html": page("<p>here is the moss of our wall") };
    expect(await told(before, now, { excerpts: false })).toEqual({ "/": [] });
  });
});

describe("what the author dated leads", () => {
  const OLD = "<h2>1 May 2026</h2><p>the pond has ice<h2>2 April 2026</h2><p>nothing at all";
  test.each([
    [
      "in one line",
      "<h2>My walls</h2><p>2 October: a fern is here",
      ["a fern is here", "My walls"],
    ],
    [
      "at its end",
      "<h2>My walls</h2><li>a fern is here (Oct 3, 2026)",
      ["a fern is here", "My walls"],
    ],
    [
      "not of another time",
      "<h2>My walls</h2><p>2 June: a fern is here",
      ["My walls", "a fern is here"],
    ],
  ])("%s", async (_, more, quotes) => {
    expect(await one(OLD, `${more}${OLD}`)).toEqual(quotes);
  });

  const FIRST = ["Changes – “a whole gallery of ferns”", "To do – “feed the fish”"];
  const CHANGES = FIRST.join("; ");
  const TODO = FIRST.toReversed().join("; ");
  test.each([
    ["in its line", "<p>2 October: a whole gallery of ferns", "", CHANGES],
    ["above it", "<p>2 October 2026<p>a whole gallery of ferns", "", CHANGES],
    ["above it, of another time", "<p>2 June 2026<p>a whole gallery of ferns", "", TODO],
    [
      "above it, where another page has one in a line",
      "<p>2 October 2026<p>a whole gallery of ferns",
      "<li>2 October: feed the fish",
      TODO,
    ],
  ])("and its page leads the entry: %s", async (_, log, dated, title) => {
    const site = new TestSite();
    const todo = dated ? [] : ["<li>feed the fish"];
    site.write("a.html", page("<li>mend the fence", "To do"));
    site.write("log.html", page("<p>1 May 2026<p>opened the site", "Changes"));
    await site.publish("2026-10-01T12:00:00Z");
    site.write("a.html", page(`<li>mend the fence${dated}${todo.join("")}`, "To do"));
    site.write("log.html", page(`${log}<p>1 May 2026<p>opened the site`, "Changes"));
    await site.publish("2026-10-02T12:00:00Z");
    expect(site.read("changes.atom")).toContain(`<title>${title}</title>`);
  });

  test("but a date that took another's place is the page's own", async () => {
    const site = new TestSite();
    site.write("a.html", page("<p>1 October 2026<li>feed the fish", "A page"));
    site.write("b.html", page("<li>mend the fence", "To do"));
    await site.publish("2026-10-01T12:00:00Z");
    site.write("a.html", page("<p>2 October 2026<li>feed the fish<li>buy new sand", "A page"));
    site.write("b.html", page("<li>mend the fence<p>a new gate<p>and a lock", "To do"));
    await site.publish("2026-10-02T12:00:00Z");
    expect(site.read("changelist/2026-10.xml")).not.toMatch(/emit:quotes="\w+ dated/);
  });
});

describe("what most pages have", () => {
  const NAMES = ["a", "b", "c", "d", "e"];
  const pages = (body: (name: string) => string) =>
    Object.fromEntries(["index", ...NAMES].map((name) => [`${name}.html`, page(body(name), name)]));
  const minor: object = Object.fromEntries(NAMES.map((name) => [`/${name}.html`, "minor"]));
  const own = (name: string) => `<h1>${name}</h1><p>about ${name}, its leaves and stems`;

  test("is told once where it is new, on the home page, also within main", async () => {
    const news = "<p>The site moves to moss.example on Friday.";
    const now = await told(
      pages(own),
      pages((name) => news + own(name)),
    );
    expect(now).toEqual({ "/": ["The site moves to moss.example on Friday."], ...minor });
  });

  test("and behind all else there; without the home page, at the shortest address", async () => {
    const news = "<p>The site moves to moss.example on Friday.";
    const before = pages((name) => own(name));
    const after = {
      ...pages((name) => news + own(name)),
      "index.html": before["index.html"] ?? "",
      "b.html": page(`${news}${own("b")}<p>a fern is here`, "b"),
    };
    expect(await told(before, after)).toEqual({
      ...minor,
      "/a.html": ["The site moves to moss.example on Friday."],
      "/b.html": ["a fern is here"],
    });
  });

  test.each([
    ["a label", "<p>Share on Mastodon"],
    ["whose rights they are", "<p>© 2001–2026 by Ada Moss of the old wall"],
    ["a way to another page", '<p><a href="a.html">All the leaves of a</a>'],
  ])("is not told where it is %s", async (_, more) => {
    const now = await told(
      pages(own),
      pages((name) => own(name) + more),
    );
    expect(now).toEqual({ "/": "minor", ...minor });
  });

  test("is no page's own, so that no date of content moves where only it changed", async () => {
    const site = new TestSite();
    for (const [path, html] of Object.entries(pages(own))) site.write(path, html);
    await site.publish("2026-10-01T12:00:00Z");
    const changed = () => site.read("resourcelist.xml").match(/ emit:changed="[^"]*"/g);
    const before = changed();
    for (const [path, html] of Object.entries(
      pages((name) => `${own(name)}<p>Share on Mastodon`),
    )) {
      site.write(path, html, "2026-10-02T08:00:00Z");
    }
    await site.publish("2026-10-02T12:00:00Z");
    expect(changed()).toEqual(before);
  });
});

describe("what another version of rs-emit remembered cannot be compared", () => {
  test.each([
    ["its marks are of another version", /emit:blocks="2\./g, 'emit:blocks="1.'],
    ["its marks are of a later version", /emit:blocks="2\./g, 'emit:blocks="9.'],
  ])(
    "so only a new title is told, and all is told again from then on: %s",
    async (_, mark, other) => {
      const names = ["a", "b", "c", "d", "e", "f"];
      const site = new TestSite();
      for (const name of names) site.write(`${name}.html`, page(`<p>words of ${name}`, name));
      await site.publish("2026-10-01T12:00:00Z");
      rewriteDocuments(site.folder, (text) => text.replace(mark, other));
      for (const name of names.slice(1)) {
        site.write(
          `${name}.html`,
          page(`<p>words of ${name}<p>ferns at the wall of ${name}`, name),
        );
      }
      site.write("b.html", page("<p>words of b", "Ferns of the wall"));
      const told = async (time: string) => {
        const { collections } = await site.publish(time);
        const changes = collections[0]?.changes ?? [];
        return changes
          .filter(({ minor }) => !minor)
          .map(({ url, quotes }) => [
            url.slice(site.url.length),
            quotes?.shown.map(({ text }) => text),
          ]);
      };
      expect(await told("2026-10-02T12:00:00Z")).toEqual([["b.html", ["Ferns of the wall"]]]);
      site.write("c.html", page("<p>words of c<p>the pond is full of frogs", "c"));
      expect(await told("2026-10-03T12:00:00Z")).toEqual([
        ["c.html", ["the pond is full of frogs"]],
      ]);
    },
  );
});

describe("an echo is minor", () => {
  const post = (title: string, text: string) =>
    page(`<h1>${title}</h1><p>7 May 2026<p>${text}`, `${title} – Moss`);
  const TEXT =
    "Seven ferns stand at the wall of the old house, and the moss grows over all of them now. While it rains they sleep.";

  test.each([
    ["a title", "<a href=f/>Ferns at the wall</a>"],
    ["a title with a date", "<p>2 October 2026 <a href=f/>Ferns at the Wall</a>"],
    ["a link with a word", "<p>Next: <a href=f/>Ferns at the wall</a> →"],
    ["a picture of it", '<a href=f/><img src=t.jpg alt="Ferns at the wall"></a>'],
    ["a link with a label", "<p><a href=f/>Older: Ferns at the wall</a>"],
    ["a beginning", `<p>${TEXT.slice(0, 40)}… <a href=f/>Read more</a>`],
    ["a beginning, cut within a word", `<p>${TEXT.slice(0, 98)}`],
    ["a beginning of two sentences", `<p>${TEXT.slice(0, 98)}… <a href=f/>Read more</a>`],
    ["a text", `<p>${TEXT}`],
    ["a line that announces it", '<li>8/20: published the post "Ferns at the wall"'],
    ["a title and a beginning", `<li><a href=f/>Ferns at the wall</a> – ${TEXT.slice(0, 50)}`],
    [
      "all of them",
      `<li><a href=f/>Ferns at the wall</a> <time>2 October 2026</time><p>${TEXT.slice(0, 50)}…<p><a href=f/>Read more</a>`,
    ],
  ])("of a new page: %s", async (_, echo) => {
    const before = { "index.html": page("<p>a list") };
    const now = {
      "index.html": page(`<p>a list${echo}`),
      "f/index.html": post("Ferns at the wall", TEXT),
    };
    expect(await told(before, now)).toEqual({ "/": "minor" });
  });

  test.each(['The shop "Ferns" is closed until May', "喫茶「苔庭」は五月まで休業します"])(
    "but not by a short name in quotation marks: %s",
    async (text) => {
      const before = { "index.html": page("<p>a list") };
      const now = {
        "index.html": page(`<p>a list<p>${text}`),
        "f/index.html": page("<p>They grow at the wall", "Ferns – 苔庭"),
      };
      expect(await told(before, now)).toEqual({ "/": [text] });
    },
  );

  test("but with that which a list says of its own", async () => {
    const before = { "index.html": page("<p>a list") };
    const now = {
      "index.html": page("<p>a list<a href=f/>Ferns at the wall</a><p>I am back from the sea"),
      "f/index.html": post("Ferns at the wall", TEXT),
    };
    expect(await told(before, now)).toEqual({ "/": ["I am back from the sea"] });
  });

  test("a copy, but with the author's words; its readers find the other one when it goes", async () => {
    const radio = page("<p>It stood in the shed<p>It plays two stations<p>A lost knob", "Radio");
    const site = new TestSite().write("index.html", page("a", "Home")).write("old.html", radio);
    await site.publish("2026-10-01T12:00:00Z");
    await site.write("new/radio.html", radio).publish("2026-10-02T12:00:00Z");
    expect(site.read("changes.atom").match(/<entry>/g)).toHaveLength(1);
    await site.remove("old.html").publish("2026-10-03T12:00:00Z");
    expect(site.read("changes.atom")).toContain("<title>Moved: Radio</title>");
    await site.write("radio-2.html", radio).publish("2026-10-04T12:00:00Z", { note: "A mirror" });
    expect(site.read("changes.atom")).toContain("<title>A mirror</title>");
  });

  test("and so is a new page that keeps what another one said", async () => {
    const old = ["It has one level", "Three cats live in it", "They like the rain"];
    const game = (texts: readonly string[]) =>
      page(texts.map((one) => `<p>${one}`).join(""), "Cats");
    const site = new TestSite().write("index.html", page("a")).write("cats.html", game(old));
    await site.publish("2026-10-01T12:00:00Z");
    site.write("cats.html", game(["It has nine levels now", ...old.slice(1)]));
    const { collections } = await site
      .write("cats0.html", game(old))
      .publish("2026-10-02T12:00:00Z");
    const told = collections[0]?.changes.map(({ url, minor }) => [
      url.slice(site.url.length),
      minor,
    ]);
    expect(Object.fromEntries(told ?? [])).toEqual({ "cats0.html": true });
  });

  test("but not a page without title that shows a part of another", async () => {
    const untitled = (body: string) => `<!doctype html><body><main>${body}</main>`;
    const site = new TestSite().write("index.html", untitled("<p>Hello there"));
    await site.publish("2026-10-01T12:00:00Z");
    site.write("index.html", untitled('<p>Hello there<img src="pond.jpg">'));
    site.write("pond.html", untitled('<img src="pond.jpg">'));
    const { collections } = await site.publish("2026-10-02T12:00:00Z");
    const created = collections[0]?.changes.filter(({ kind }) => kind === "created");
    expect(created?.map(({ minor }) => minor)).toEqual([undefined]);
  });

  test("but not of the title that every page has", async () => {
    const titled = (body: string) => page(body, "My tiny garden");
    const said = '"My tiny garden" turns five years old';
    const before = { "index.html": titled("<p>a"), "about.html": titled("<p>b") };
    const now = {
      "index.html": titled("<p>a"),
      "about.html": titled(`<p>b<p>${said}`),
      "zoo.html": titled("<h1>The zoo of mine</h1><p>c"),
    };
    expect(await told(before, now)).toEqual({ "/about.html": [said] });
  });

  test("of an older page: tags, archives, pages of a pager", async () => {
    const posts = { "index.html": page("a"), "f/index.html": post("Ferns at the wall", TEXT) };
    const before = { ...posts, "tags/index.html": page("<p>a list") };
    const now = {
      ...posts,
      "tags/index.html": page(`<p>a list<a href=f/>Ferns at the wall</a><p>${TEXT}`),
    };
    expect(await told(before, now)).toEqual({ "/tags/": "minor" });
  });

  test.each([
    ["a page", ""],
    ["a page that is minor", '<meta name="rs-emit:minor" content="true">'],
  ])("of an updated page's new title: %s", async (_, head) => {
    const before = {
      "f/index.html": head + post("Ferns", TEXT),
      "index.html": page("<a href=f/>Ferns</a>"),
    };
    const now = {
      "f/index.html": head + post("Ferns and all their friends", TEXT),
      "index.html": page("<a href=f/>Ferns and all their friends</a>"),
    };
    expect(await told(before, now)).toEqual({
      "/": "minor",
      "/f/": head === "" ? ["Ferns and all their friends"] : "minor",
    });
  });

  test("a text that is new on several pages is told of one: where it is a heading, else where least is new", async () => {
    const pages = (more: string, heading: string) => ({
      "a.html": page(`<p>a${more}`),
      "b.html": page(`<p>b${more}${heading}`),
      "c.html": page(`<p>c${more}${more && "<p>two walls"}`),
    });
    const fern = "<p>a fern at the wall";
    expect(await told(pages("", ""), pages(fern, ""))).toEqual({
      "/a.html": ["a fern at the wall"],
      "/b.html": "minor",
      "/c.html": ["two walls"],
    });
    const before = { "a.html": page("<p>a"), "b.html": page("<p>b") };
    const now = {
      "a.html": page(`<p>a${fern}`),
      "b.html": page("<p>b<h2>a fern at the wall</h2><p>two walls"),
    };
    expect(await told(before, now)).toEqual({
      "/a.html": "minor",
      "/b.html": ["a fern at the wall", "two walls"],
    });
  });

  test("a home page that shows posts tells nothing of them", async () => {
    const post = (more: string) => page(`<p>all that the walls say${more}`, "Walls");
    const home = (more: string) => page(`<h2>Walls</h2>${more}`);
    const more = ["<h3>Of stone</h3><p>They are old", "<p>a fern at the wall<p>two walls"];
    const before = { "w.html": post(more[0] ?? ""), "index.html": home("") };
    const now = { "w.html": post(more.join("")), "index.html": home(more[1] ?? "") };
    expect(await told(before, now)).toEqual({
      "/": "minor",
      "/w.html": ["a fern at the wall", "two walls"],
    });
  });

  test.each([
    ["a text", "<p>a fern at the wall"],
    ["a file", "<p><a href=f/fern.pdf>The fern in print</a>"],
    ["a picture", '<img src="fern.png" alt="a fern">'],
  ])("what was quoted lately is no news when it comes back: %s", async (_, fern) => {
    const site = new TestSite().write("index.html", page("<p>a moss"));
    await site.publish("2026-10-01T12:00:00Z");
    const results = [];
    for (const [day, more] of [fern, "", fern].entries()) {
      const { collections } = await site
        .write("index.html", page(`<p>a moss${more}`))
        .publish(`2026-10-0${2 + day}T12:00:00Z`);
      results.push(collections[0]?.changes[0]?.minor ?? false);
    }
    expect(results).toEqual([false, true, true]);
  });
});

test("a file that no page linked is news, though its words were quoted lately on another page", async () => {
  const site = new TestSite().write("a.html", page("<p>a moss", "Moss"));
  await site.write("index.html", page("<p>a wall")).publish("2026-10-01T12:00:00Z");
  const words = "The fern in print";
  await site.write("a.html", page(`<p>a moss<p>${words}`, "Moss")).publish("2026-10-02T12:00:00Z");
  await site.write("a.html", page("<p>a moss", "Moss")).publish("2026-10-03T12:00:00Z");
  const { collections } = await site
    .write("index.html", page(`<p>a wall<p><a href=f/fern.pdf>${words}</a>`))
    .publish("2026-10-04T12:00:00Z");
  const [change] = collections[0]?.changes ?? [];
  expect(change?.minor).toBeUndefined();
  expect(change?.quotes?.shown).toMatchObject([{ text: words }]);
});

test("what was only counted lately is no news when it comes back", async () => {
  const site = new TestSite().write("index.html", page("<p>a moss"));
  await site.publish("2026-10-01T12:00:00Z");
  const texts = ["four stones", "five snails", "six worms", "seven owls"].map(
    (one) => `<p>${one} here`,
  );
  const results = [];
  for (const [day, more] of [texts.join(""), "", texts.toReversed().join("")].entries()) {
    const { collections } = await site
      .write("index.html", page(`<p>a moss${more}`))
      .publish(`2026-10-0${2 + day}T12:00:00Z`);
    results.push(collections[0]?.changes[0]?.minor ?? false);
  }
  expect(results).toEqual([false, true, true]);
});

test("what the author dates anew is news, though the same was told before", async () => {
  const site = new TestSite().write("index.html", page("<p>a moss"));
  await site.publish("2026-10-01T12:00:00Z");
  const results = [];
  for (const day of [2, 20]) {
    const { collections } = await site
      .write("index.html", page(`<p>${day} October: updated the gallery of ferns`))
      .publish(`2026-10-${String(day).padStart(2, "0")}T12:00:00Z`);
    results.push(collections[0]?.changes[0]?.minor ?? false);
    const between = `2026-10-${day + 1}T12:00:00Z`.replace("-3T", "-03T");
    await site.write("index.html", page("<p>a moss")).publish(between);
  }
  expect(results).toEqual([false, false]);
});

test("a page that has only the site's name for a title is called by its heading", async () => {
  const site = new TestSite().write("index.html", page("<p>a moss", "My garden"));
  await site.publish("2026-10-01T12:00:00Z", { title: "My garden" });
  const { collections } = await site
    .write("a.html", page("<h1>Moss</h1><p>a wall", "· My garden"))
    .publish("2026-10-02T12:00:00Z", { title: "My garden" });
  expect(collections[0]?.changes[0]?.name).toBe("Moss");
});

describe("the author's word stands above", () => {
  const typo = (head = "") =>
    [
      { "index.html": head + page("<p>here is teh moss of our wall") },
      { "index.html": head + page("<p>here is the moss of our wall") },
    ] as const;
  const news = (head = "") =>
    [
      { "index.html": head + page("<p>moss") },
      { "index.html": head + page("<p>moss<p>a fern at the wall") },
    ] as const;
  const meta = (content: string) => `<meta name="rs-emit:minor" content="${content}">`;

  test("a page's: what changes there is told, or never", async () => {
    expect(await told(...typo(meta("false")))).toEqual({ "/": [] });
    expect(await told(...news(meta("false")))).toEqual({ "/": ["a fern at the wall"] });
    expect(await told(...news(meta("true")))).toEqual({ "/": "minor" });
    expect(await told(...news(meta("perhaps")))).toEqual({ "/": ["a fern at the wall"] });
  });

  test.each(["true", "false"])("and is no change by itself: %s", async (word) => {
    const pages = { "index.html": page("<p>moss") };
    expect(await told(pages, { "index.html": `${meta(word)}\n${pages["index.html"]}` })).toEqual(
      {},
    );
    expect(await told({ "index.html": meta(word) + pages["index.html"] }, pages)).toEqual({});
  });

  test("a publication's, but for pages that are always told", async () => {
    expect(await told(...news(), { minor: true })).toEqual({ "/": "minor" });
    expect(await told(...news(meta("false")), { minor: true })).toEqual({
      "/": ["a fern at the wall"],
    });
  });

  test("words for a change are told with it", async () => {
    const note = (html: string) => `<meta name="rs-emit:note" content="Mended">${html}`;
    const [before, now] = typo();
    expect(await told(before, { "index.html": note(now["index.html"]) })).toEqual({ "/": [] });
    const site = new TestSite().write("index.html", before["index.html"]);
    await site.publish("2026-10-01T12:00:00Z");
    site.write("index.html", now["index.html"]);
    const { collections } = await site.publish("2026-10-02T12:00:00Z", { note: "Mended" });
    expect(collections[0]?.changes).toMatchObject([{ message: "Mended" }]);
    expect(collections[0]?.changes[0]?.minor).toBeUndefined();
  });

  test("the site's: every change of content is told", async () => {
    expect(await told(...typo(), { news: "content" })).toEqual({ "/": [] });
    expect(await told(...news(), { news: "content" })).toEqual({ "/": ["a fern at the wall"] });
    const same = [{ "index.html": page("<p>a") }, { "index.html": page("<p class=x>a") }] as const;
    expect(await told(...same, { news: "content" })).toEqual({ "/": "minor" });
  });
});

test("where most pages say the same in other words, the run proposes to call it minor", async () => {
  const site = new TestSite();
  const WORDS = ["stone", "river", "bread", "lamp", "harbour", "letter"];
  const each = (text: (word: string) => string) => {
    for (const [at, word] of WORDS.entries()) {
      site.write(`${at}.html`, page(`<p>a<p>${text(word)}<p>end`));
    }
  };
  each((word) => `daß der ${word} naß ist`);
  await site.publish("2026-10-01T12:00:00Z");
  each((word) => `quite another thing about ${word}`);
  const { notes } = await site.publish("2026-10-02T12:00:00Z");
  expect(notes).toMatchObject([{ code: "REWORDED", message: expect.stringContaining("6 pages") }]);
});

describe("a page that moved, and one whose texts another page took over", () => {
  const menu = (year: number) => `<p><a href="a.html">Moss</a><p>© ${year} Ami`;
  const plain = (
    name: string,
    year: number,
    body = `<p>words of ${name}<p>more words of ${name}`,
  ) => `<title>${name}</title><body>${menu(year)}${body}`;
  const NAMES = ["a", "b", "c", "d", "e", "f"];

  test("moved with a new footer, in pages without main", async () => {
    const site = new TestSite({ allowMassDelete: true });
    for (const name of NAMES) site.write(`${name}.html`, plain(name, 2025));
    await site.publish("2026-10-01T12:00:00Z");
    site.remove("f.html");
    for (const name of NAMES) site.write(`${name === "f" ? "g" : name}.html`, plain(name, 2026));
    const { collections } = await site.publish("2026-10-02T12:00:00Z");
    const changes = collections[0]?.changes ?? [];
    expect(changes.filter(({ minor }) => !minor)).toMatchObject([
      { kind: "created", moved: `${site.url}f.html` },
      { kind: "deleted", moved: `${site.url}g.html` },
    ]);
  });

  test.each([
    ["in main", page],
    [
      "without main, beside a long menu",
      (body: string, title = "My garden") =>
        `<title>${title}</title>${NAMES.map((name) => `<p>${name} moss`).join("")}${body}`,
    ],
  ])("is gone, wherever its texts stand: %s", async (_, page) => {
    const site = new TestSite({ allowMassDelete: true });
    const body = "<p>one moss of the wall<p>two ferns of the wall<p>three stones of the wall";
    for (const name of NAMES) site.write(`${name}.html`, page(`<p>start of ${name}`));
    site.write("g.html", page(body, "B"));
    await site.publish("2026-10-01T12:00:00Z");
    site.remove("g.html").write("a.html", page(`<p>start of a${body}`));
    const { collections } = await site.publish("2026-10-02T12:00:00Z");
    expect(collections[0]?.changes).toMatchObject([
      { kind: "updated", minor: true, url: `${site.url}a.html` },
      { kind: "deleted", url: `${site.url}g.html`, title: "B", moved: undefined },
    ]);
  });

  test.each([
    ["another heading, where every page has its title", "My garden", "The zoo", undefined],
    ["no heading, where every page has its title", "My garden", "", undefined],
    ["its heading in other letters", "My garden", "Page of ART!", "/zoo.html"],
    ["another heading, where its title is its own", "Art of mine", "The zoo", "/zoo.html"],
  ])("is found, or not, with %s", async (_, title, heading, place) => {
    const written = (name: string, title: string, heading: string) =>
      site.write(`${name}.html`, `${plain(title, 2026)}<p>Sit down<h1>${heading}</h1>`);
    const site = new TestSite({ allowMassDelete: true });
    for (const name of ["index", "b"]) written(name, "My garden", name);
    written("art", title, "Page of art");
    await site.publish("2026-10-01T12:00:00Z");
    site.remove("art.html");
    written("zoo", title, heading);
    const { collections } = await site.publish("2026-10-02T12:00:00Z");
    const gone = collections[0]?.changes.find(({ kind }) => kind === "deleted");
    expect(gone?.moved && new URL(gone.moved).pathname).toBe(place);
  });

  /** Where a gone page with four texts is said to be, when new pages with its title have some of them. */
  async function placeOf(shown: Readonly<Record<string, number>>): Promise<string | undefined> {
    const site = new TestSite({ allowMassDelete: true });
    const texts = ["one moss", "two ferns", "three stones", "four snails"];
    const written = (name: string, number: number) => {
      const said = [`start of ${name}`, ...texts.slice(0, number).map((one) => `${one} here`)];
      site.write(`${name}.html`, page(said.map((text) => `<p>${text}`).join("")));
    };
    for (const name of "stuvwxyz01234") written(name, 0);
    written("gone", 4);
    await site.publish("2026-10-01T12:00:00Z");
    site.remove("gone.html");
    for (const [name, number] of Object.entries(shown)) written(name, number);
    const { collections } = await site.publish("2026-10-02T12:00:00Z");
    const gone = collections[0]?.changes.find(({ kind }) => kind === "deleted");
    return gone?.moved?.slice(site.url.length);
  }

  test.each([
    ["the one with most of its texts", { a: 3, b: 4, c: 3 }, "b.html"],
    ["of equals the first address", { a: 1, b: 4, c: 4 }, "b.html"],
    ["one that has most of its texts", { a: 2, b: 2 }, undefined],
    [
      "none of many, since nothing shows which",
      Object.fromEntries(Array.from("abcdefghi", (name) => [name, 4])),
      undefined,
    ],
  ])("of several new pages it is in %s", async (_, shown, place) => {
    expect(await placeOf(shown)).toBe(place);
  });
});
