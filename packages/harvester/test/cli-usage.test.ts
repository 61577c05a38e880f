import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { CommandProcess, rsHarvest, Workshop } from "./support/command.ts";

const workshop = new Workshop();
afterAll(() => workshop[Symbol.dispose]());

const SITE = "https://example.org/";
const OUT = ["--out", workshop.folder()];

/** What is given, and the words that say what is wrong, and what would be right. */
const WRONG: readonly (readonly [
  name: string,
  args: readonly string[],
  words: readonly RegExp[],
])[] = [
  ["no site", OUT, [/No site was named/, /--list <file>/]],
  ["no folder for feeds", [SITE], [/--out <folder>/]],
  ["an empty folder's name", [SITE, "--out", ""], [/--out needs a path/]],
  [
    "an option of another command",
    ["import", "sites.txt", "--allow-private"],
    [/--allow-private/, /See: rs-harvest import --help/],
  ],
  ["an unknown option", [SITE, "--ou", "x"], [/--ou\b/, /Did you mean --out/]],
  ["an option without its value", [SITE, "--out"], [/--out <folder>/, /argument missing/]],
  [
    "an option where a value should be",
    [SITE, "--out", "--quiet"],
    [/--out needs a value/, /--quiet is another option/],
  ],
  ["two folders for feeds", [SITE, ...OUT, "--out", "other"], [/--out has two values/]],
  ["an option where a file should be", ["--list", "--quiet", ...OUT], [/--list/, /--quiet/]],
  ["an option where a folder should be", ["serve", "--data", "--help"], [/--data/, /--help/]],
  [
    "no address",
    ["not an address", ...OUT],
    [/"not an address" is no address/, /https:\/\/example\.org\//],
  ],
  ["a name that is none", ["feeds", ...OUT], [/"feeds" is no address/, /Commands: serve, check/]],
  ["a command with a slip", ["serv"], [/"serv" is no .*command/, /Did you mean: rs-harvest serve/]],
  ["help as a command", ["help"], [/Did you mean: rs-harvest --help/]],
  ["its options, too", ["imprt", "x.opml", "--poll-sitemaps"], [/rs-harvest import/]],
  ["and those of no other command", ["sever", "--port", "80"], [/rs-harvest serve/]],
  [
    "a list as a site",
    [workshop.file(`${SITE}\n`), ...OUT],
    [/is a file/, /To read the sites that a file lists: --list /],
  ],
  [
    "a list that is not here as a site",
    ["sites.txt"],
    [/sites\.txt is .* file/, /--list sites\.txt/],
  ],
  ["a list as the site to check", ["check", "feeds.opml"], [/feeds\.opml is the name of a file/]],
  ["a folder to check", ["check", workshop.folder()], [/is a folder/, /npx rs-emit check /]],
  [
    "a copy before its site",
    ["sync", workshop.folder(), SITE],
    [/is a folder/, /The site comes first/],
  ],
  ["a site as a list", ["import", SITE], [/cannot be read/, /A list is a file/]],
  [
    "an address of mail",
    ["mailto:me@example.org", ...OUT],
    [/"mailto:me@example.org" is no address/],
  ],
  ["an address with a password", ["https://me:hunter2@example.org/", ...OUT], [/is no address/]],
  ["a file's address", ["file:///etc/passwd", ...OUT], [/is no address/]],
  ["an endless address", [`${SITE}${"x".repeat(5000)}`, ...OUT], [/is no address/]],
  [
    "a folder without its address",
    [workshop.folder(), ...OUT],
    [/is a folder/, /--url https:\/\/example\.org\//],
  ],
  [
    "an address for what is no folder",
    [SITE, ...OUT, "--url", SITE],
    [/https:\/\/example\.org\/ is no folder/],
  ],
  [
    "an address for a folder that is not there",
    ["./nowhere", ...OUT, "--url", SITE],
    [/\.\/nowhere is no folder/],
  ],
  ["an address for two folders", ["a", "b", ...OUT, "--url", SITE], [/--url/, /one folder/]],
  [
    "an address for a folder, and a list",
    ["a", "--list", "b", ...OUT, "--url", SITE],
    [/--url/, /nothing else/],
  ],
  [
    "a site's address that is not whole",
    [workshop.folder(), ...OUT, "--url", "example.org"],
    [/--url/, /"example\.org"/, /https:\/\/example\.org\//],
  ],
  [
    "a list that is not there",
    ["--list", "nowhere.txt", ...OUT],
    [/--list nowhere\.txt/, /no such file/],
  ],
  ["a list that is a folder", ["--list", workshop.folder(), ...OUT], [/--list/, /cannot be read/]],
  [
    "a list without sites",
    ["--list", workshop.file("# none yet\n"), ...OUT],
    [/--list/, /names no site/],
  ],
  [
    "a list of prose",
    ["--list", workshop.file("# mine\nMy favourite site\nAnd another one"), ...OUT],
    [/--list/, /names no site/, /Line 2/, /"My favourite site"/, /Line 3/],
  ],
  [
    "a list with what is no address",
    ["--list", workshop.file("http://\n"), ...OUT],
    [/--list/, /"http:\/\/"/],
  ],
  [
    "a list that is a page",
    ["--list", workshop.file("<!doctype html><p>Sites"), ...OUT],
    [/--list/, /OPML/],
  ],
  [
    "feeds that stand nowhere",
    [SITE, ...OUT, "--feeds-url", "feeds/"],
    [/--feeds-url/, /"feeds\/"/],
  ],
  [
    "feeds that stand behind a question",
    [SITE, ...OUT, "--feeds-url", `${SITE}?feeds=`],
    [/--feeds-url/, /folder/],
  ],
  [
    "feeds in a folder without a name",
    [SITE, ...OUT, "--feeds-url", `${SITE}/`],
    [/--feeds-url/, /without \/\//],
  ],
  [
    "a time that is none",
    [SITE, ...OUT, "--now", "yesterday"],
    [/--now/, /"yesterday"/, /2026-10-01T12:00:00Z/],
  ],
  [
    "an unknown kind of entries",
    [SITE, ...OUT, "--entries", "fortnight"],
    [/--entries/, /fortnight/, /check, day, week, month, change/],
  ],
  [
    "two memories",
    [SITE, ...OUT, "--data", "a", "--database", "postgres://b/c"],
    [/--data/, /--database/, /one/],
  ],
  [
    "another kind of database",
    [SITE, ...OUT, "--database", "mysql://me:hunter2@b/c"],
    [/--database/, /postgres:\/\//],
  ],
  [
    "a contact that is none",
    [SITE, ...OUT, "--contact", "me"],
    [/--contact/, /"me"/, /me@example\.org/],
  ],
  ["an option of the service", [SITE, ...OUT, "--port", "80"], [/--port/]],
  ["a port that is none", ["serve", "--port", "http"], [/--port/, /"http"/, /0 to 65535/]],
  ["a port past all", ["serve", "--port", "65536"], [/--port/, /65536/]],
  ["an unknown role", ["serve", "--role", "king"], [/--role/, /king/, /web, worker, all/]],
  [
    "a time between checks that is none",
    ["serve", "--interval", "often"],
    [/--interval/, /"often"/, /30m/],
  ],
  ["checks without pause", ["serve", "--interval", "5s"], [/--interval/, /"5s"/, /a minute/]],
  ["no checks at once", ["serve", "--concurrency", "0"], [/--concurrency/, /"0"/, /1 to 1000/]],
  ["a service that has sites already", ["serve", SITE], [/too many arguments/i]],
  [
    "a public address that is not whole",
    ["serve", "--public-url", "feeds.example"],
    [/--public-url/],
  ],
  [
    "a public address in a folder without a name",
    ["serve", "--public-url", "https://feeds.example//"],
    [/--public-url/, /without \/\//],
  ],
  ["a hub that is not whole", ["serve", "--hub", "hub"], [/--hub/]],
  ["a hub of a service that nobody reaches", ["serve", "--hub", SITE], [/--hub/, /--public-url/]],
  ["a service that anybody could use", ["serve", "--host", "0.0.0.0"], [/--token/, /--open/]],
  [
    "a token that anybody could guess",
    ["serve", "--token", "1234", "--host", "0.0.0.0"],
    [/token/],
  ],
];

describe("wrong usage ends with status 2 and one clear sentence", () => {
  test.each(WRONG)("%s", async (_, args, words) => {
    const { exit, stdout, stderr } = await rsHarvest(...args);
    expect(exit, stderr).toBe(2);
    expect(stdout).toBe("");
    for (const word of words) expect(stderr).toMatch(word);
    expect(stderr).toMatch(/^rs-harvest: .*\n$/);
    expect(stderr).not.toMatch(/hunter2|fault of the program/);
    const { exit: again, stdout: json } = await rsHarvest(...args, "--json");
    if (args[0] === "serve" || args.at(-1) === "--out") return;
    expect(again).toBe(2);
    expect(JSON.parse(json)).toEqual({ error: { code: "USAGE", message: expect.any(String) } });
  });
});

test("an option as the folder for feeds makes none: with --json that is told in JSON", async () => {
  const { exit, stdout } = await rsHarvest(SITE, "--out", "--json");
  expect(exit).toBe(2);
  expect(JSON.parse(stdout).error.message).toMatch(/--out needs a value/);
  expect(existsSync("--json")).toBe(false);
});

describe("the command tells", () => {
  test.each([["--version"], ["-V"]])("its version: %s", async (option) => {
    const { exit, stdout, stderr } = await rsHarvest(option);
    expect([exit, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([
    [["--help"], ["--list", "--out", "--url", "--entries", "--data", "serve", "Exit codes"]],
    [["-h"], ["Examples"]],
    [
      ["serve", "--help"],
      ["--role", "--port", "--token", "--hub", "--interval", "--allow-private"],
    ],
  ])("how it is used: %j", async (args, words) => {
    const { exit, stdout, stderr } = await rsHarvest(...args);
    expect([exit, stderr]).toEqual([0, ""]);
    for (const word of words) expect(stdout).toContain(word);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });

  test("both as it is installed, too", async () => {
    const version = await new CommandProcess(["--version"]).end();
    expect(version).toMatchObject({ exit: 0, stderr: "" });
    const wrong = await new CommandProcess(["serve", "--port", "x"]).end();
    expect(wrong).toMatchObject({ exit: 2, stdout: "" });
  });
});
