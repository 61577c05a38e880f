import { expect, test } from "vitest";
import { failureOf, isMissingPackage } from "../src/backfill/builds/failure-line.ts";

const STACK = `    at packageResolve (node:internal/modules/esm/resolve:873:9)
[11ty]     at moduleResolve (node:internal/modules/esm/resolve:946:18)`;

/** What real builders print, shortened. */
const OUTPUTS: Record<string, readonly [output: string, reason: string, isMissing: boolean]> = {
  "Eleventy 3, without a package": [
    `npm warn Unknown user config "nodedir".
[11ty] Problem writing Eleventy templates:
[11ty] 1. There was a problem importing '_data/schema.js' via import(esm) (via EleventyImportError)
[11ty] 2. Cannot find package 'zod' imported from /site/_data/schema.js
[11ty] 
[11ty] Original error stack trace: Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /site/_data/schema.js
${STACK}
[11ty] Wrote 0 files in 0.20 seconds (v3.1.6)`,
    "[11ty] 2. Cannot find package 'zod' imported from /site/_data/schema.js",
    true,
  ],
  "Eleventy 2, in its configuration": [
    `[11ty] Eleventy Fatal Error: (more in DEBUG output)
[11ty] 1. Error in your Eleventy config file '/work/.eleventy.js'. You may need to run \`npm install\`. (via EleventyConfigError)
[11ty] 2. Cannot find module 'luxon'
[11ty] Require stack:
[11ty] - /work/.eleventy.js (via Error)`,
    "[11ty] 2. Cannot find module 'luxon'",
    true,
  ],
  "Eleventy, in a template": [
    `[11ty] Writing ./_site/error/index.html from ./content/error.md
[11ty] Problem writing Eleventy templates:
[11ty] 1. Having trouble rendering njk template ./content/index.njk (via TemplateContentRenderError)
[11ty] 2. (./content/index.njk)
[11ty]   Error: filter not found: readableDate (via Template render error)
[11ty] Original error stack trace: Template render error: (./content/index.njk)
${STACK}`,
    "[11ty]   Error: filter not found: readableDate (via Template render error)",
    false,
  ],
  "Node, which ends with its version": [
    `node:internal/modules/cjs/loader:1143
  throw err;
  ^

Error: Cannot find module 'luxon'
Require stack:
- /work/build.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1140:15) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/work/build.js' ]
}

Node.js v24.4.0
npm error code 1`,
    "Error: Cannot find module 'luxon'",
    true,
  ],
  "a script that throws": [
    `/work/build.js:10
    throw new Error("no front matter in moss.md");
    ^

Error: no front matter in moss.md
    at build (/work/build.js:10:11)

Node.js v24.4.0`,
    "Error: no front matter in moss.md",
    false,
  ],
  "a shell without the builder": ["sh: 1: eleventy: not found", "sh: 1: eleventy: not found", true],
  Astro: [
    `10:00:00 [types] Generated 12ms
[ERROR] [vite] x Build failed in 16ms
[vite]: Rollup failed to resolve import "date-fns" from "/work/src/pages/index.astro".
  Location:`,
    '[vite]: Rollup failed to resolve import "date-fns" from "/work/src/pages/index.astro".',
    true,
  ],
  Hugo: [
    `Start building sites …
WARN  found no layout file for "html" for kind "term"
Error: error building site: render: failed to render pages: execute of template failed
Total in 12 ms`,
    "Error: error building site: render: failed to render pages: execute of template failed",
    false,
  ],
  Jekyll: [
    `Configuration file: /work/_config.yml
  Liquid Exception: Liquid syntax error (line 3): Unknown tag 'moss' in index.md
                    ------------------------------------------------
      Jekyll 4.3.2   Please append \`--trace\` to the \`build\` command`,
    "Liquid Exception: Liquid syntax error (line 3): Unknown tag 'moss' in index.md",
    false,
  ],
  TypeScript: [
    `> build\n> tsc && node build.js\n\nsrc/a.ts(1,7): error TS2304: Cannot find name 'moss'.`,
    "src/a.ts(1,7): error TS2304: Cannot find name 'moss'.",
    false,
  ],
  "warnings come before": [
    `(node:1) [DEP0040] DeprecationWarning: error: punycode cannot be used\nfatal: not a git repository`,
    "fatal: not a git repository",
    false,
  ],
  "nothing names an error": [
    "> build\nstopped at page 3\nnpm ERR! code 1\n",
    "stopped at page 3",
    false,
  ],
  "npm ci without a lock file": [
    `npm warn Unknown user config "moss"
npm error code EUSAGE
npm error
npm error The \`npm ci\` command can only install with an existing package-lock.json or
npm error npm-shrinkwrap.json with lockfileVersion >= 1.
npm error A complete log of this run can be found in: /home/x/.npm/_logs/1.log`,
    "The `npm ci` command can only install with an existing package-lock.json or",
    false,
  ],
  "only npm speaks": ["npm ERR! code 1", "npm ERR! code 1", false],
};

test.each(Object.entries(OUTPUTS))("%s", (_, [output, reason, isMissing]) => {
  expect(failureOf(output)).toBe(reason);
  expect(isMissingPackage(reason)).toBe(isMissing);
});

test("a command without output gives no reason", () => {
  expect(failureOf("")).toBeUndefined();
  expect(failureOf(" \n\n")).toBeUndefined();
});
