#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  const found = process.versions.node;
  process.stderr.write(`rs-harvest: Node.js 22.19 or later is needed, and this is ${found}.\n`);
  process.exitCode = 2;
} else {
  // A reader such as `head` may leave early: what was harvested stands all the same.
  process.stdout.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
  });
  const { keepCompiledCode } = await import("../dist/bundle/compiled-code.js");
  keepCompiledCode("rs-harvest");
  const { main } = await import("../dist/bundle/cli/main.js");
  process.exitCode = await main(process.argv.slice(2));
}
