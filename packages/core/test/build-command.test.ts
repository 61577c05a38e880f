import { expect, test } from "vitest";
import { runCommand } from "../src/backfill/builds/build-command.ts";

test.each([
  ["npm speaks last", "Error: no such filter|npm ERR! code 1|", "Error: no such filter"],
  [
    "a stack stands at the end",
    "RenderError: no such filter|    at render (a.js:1:2)|[11ty]     at async compile (b.js:3:4)|",
    "RenderError: no such filter",
  ],
  ["nothing else is said", "npm ERR! code 1|", "npm ERR! code 1"],
])("a failed build is named with the last line that says why, where %s", async (_, said, line) => {
  const failure = await runCommand(`printf '%s' '${said.replaceAll("|", "\n")}'; exit 1`, {
    folder: ".",
    environment: process.env,
    timeoutMilliseconds: 60_000,
    deadline: () => new AbortController().signal,
    signal: new AbortController().signal,
  });
  expect(failure).toEqual({ reason: line, wasEnded: false });
});
