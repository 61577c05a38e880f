import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { FILES as TABLES } from "../scripts/option-tables.ts";
import { FILES } from "../scripts/option-types.ts";
import { architecture, withExample } from "../scripts/worked-example.ts";
import { PAGES, textOf } from "./support/documented.ts";

const ROOT = join(import.meta.dirname, "..");
const READMES = globSync("packages/*/README.md", { cwd: ROOT });

test.each([...TABLES])(
  "options in %s are those of the code: node scripts/option-tables.ts writes them",
  (file, text) => {
    expect(readFileSync(file, "utf8")).toBe(text());
  },
);

test.each([...FILES])(
  "types of options in %s are the schema's: node scripts/option-types.ts writes them",
  (file, text) => {
    const withoutLayout = (source: string) => source.replace(/[\s|]+/g, "");
    expect(withoutLayout(readFileSync(file, "utf8"))).toBe(withoutLayout(text));
  },
);

test("a link in a package's README leads somewhere on npm too, which has no other folder", () => {
  expect(READMES.length).toBeGreaterThan(6);
  for (const readme of READMES) {
    const text = readFileSync(join(ROOT, readme), "utf8");
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !/^(?:https:\/\/|#)/.test(target))).toEqual([]);
  }
});

/** Where paths begin that pages name in full. */
const FOLDERS =
  "packages|docs|examples|scripts|test|conformance|bench|fuzz|actions|\\.github|\\.ci";

test.each([
  ["docs/architecture.md", 50],
  ["docs/harvester.md", 30],
  ["docs/history.md", 5],
  ["CONTRIBUTING.md", 3],
])("every path that %s names exists", (page, least) => {
  const paths = textOf(page).matchAll(
    new RegExp(`(?<=[\`\\s])(?:${FOLDERS})/[\\w./-]*\\w(?=[\`\\s./])`, "g"),
  );
  const named = [...new Set([...paths].map(([path]) => path))];
  expect(named.length).toBeGreaterThanOrEqual(least);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test.each(PAGES.filter((page) => !page.startsWith("packages/")))(
  "every link of %s leads somewhere",
  (page) => {
    const links = [...textOf(page).matchAll(/(?:\]\(|^ *<img src=")([^)"\s]+)/gm)];
    const targets = links.map(([, target = ""]) => target);
    const local = targets.filter((target) => !/^(?:https:|mailto:)/.test(target));
    const lost = local.filter((target) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
    expect(lost).toEqual([]);
  },
);

/** The names that forges give to the headings of a page. */
function anchorsOf(page: string): readonly string[] {
  const headings = [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test.each(["docs/proof.md", "docs/threats.md", "CONTRIBUTING.md"])(
  "every npm command of %s is a script of package.json, and finds its test or row",
  (page) => {
    const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
      readFileSync(join(ROOT, "package.json"), "utf8"),
    );
    const commands = [
      ...textOf(page).matchAll(/\bnpm (?:run ([\w-]+)|(test))((?: -- [^`\n|#]+)?)/g),
    ];
    expect(commands.length).toBeGreaterThan(0);
    for (const [command, run, own, args = ""] of commands) {
      expect(Object.keys(scripts), command).toContain(run ?? own);
      for (const word of args.trim().split(/\s+/)) {
        if (/\.test\.ts$/.test(word)) expect(existsSync(join(ROOT, word)), command).toBe(true);
      }
      const [, row] = /--only ([\w-]+)/.exec(args) ?? [];
      if (row !== undefined)
        expect(existsSync(join(ROOT, `bench/rows/${row}.ts`)), command).toBe(true);
    }
  },
);

test("the example in docs/architecture.md is what three runs write: node scripts/worked-example.ts", async () => {
  expect(await withExample(architecture())).toBe(architecture());
});
