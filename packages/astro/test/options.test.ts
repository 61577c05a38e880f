import { expect, test } from "vitest";
import rsEmit from "../src/index.ts";
import { resourcesIn } from "./support/documents.ts";
import { page } from "./support/pages.ts";
import { AstroSite, SITE } from "./support/site.ts";

test.each<[string, object, string]>([
  [
    "period",
    { period: "week" },
    'The option period is "week". It must be one of year, month, day.',
  ],
  ["sourceFiles", { sourceFiles: "src" }, 'The option sourceFiles is "src". It must be a function'],
  [
    "customPages",
    { customPages: "/live/" },
    'The option customPages is "/live/". It must be a list',
  ],
  [
    "a page of customPages",
    { customPages: [3] },
    "The option customPages is [3]. It must be a list of addresses.",
  ],
  ["folder", { folder: "dist" }, 'The option "folder" is not known. There are:'],
])("a wrong option is refused at once: %s", (_, options, message) => {
  expect(saidOf(options)).toContain(message);
});

/** The error's message and hint, which Astro prints one after the other. */
function saidOf(options: object): string {
  try {
    rsEmit(options);
  } catch (error) {
    if (error instanceof Error && "hint" in error) return `${error.message} ${error.hint}`;
  }
  return "";
}

/** What Astro printed, without its lines. */
function inOneLine(output: string): string {
  return output.replaceAll(/\s+/g, " ").replaceAll(" Hint: ", " ");
}

test("what is wrong with the site's address fails the build before it begins", async () => {
  using site = new AstroSite().write("src/pages/index.astro", page("Home"));
  site.configure({ site: undefined });
  const missing = await site.build();
  expect(missing.code).toBe(1);
  expect(missing.output).toContain('  site: "https://example.com",\n');
  expect(missing.output).not.toContain("    at ");

  site.configure({ base: "//elsewhere.example/" });
  const otherHost = await site.build();
  expect(otherHost.code).toBe(1);
  expect(inOneLine(otherHost.output)).toContain("without // in its path");

  site.configure({}, { options: '{ customPages: ["https://elsewhere.example/"] }' });
  const outside = await site.build();
  expect(outside.code).toBe(1);
  expect(inOneLine(outside.output)).toContain(
    'The option customPages is "https://elsewhere.example/". It must be a list of addresses below https://moss.example/.',
  );

  site.configure({ site: undefined }, { options: `{ previous: "none", url: "${SITE}" }` });
  const { code, output } = await site.build();
  expect(code, output).toBe(0);
  expect(resourcesIn(site.path("dist"), SITE)).toEqual(["/"]);
});

test("what the option sourceFiles does is looked at too", async () => {
  using site = new AstroSite().write("src/pages/index.astro", page("Home"));
  const sourceFiles = "({ name }) => name.length";
  site.configure({}, { options: `{ previous: "none", sourceFiles: ${sourceFiles} }` });
  const { code, output } = await site.build();
  expect(code).toBe(1);
  expect(inOneLine(output)).toContain(
    `The option sourceFiles failed for ${SITE}: it threw "Cannot read properties of undefined`,
  );
  expect(output).not.toContain("    at ");
});
