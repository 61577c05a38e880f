#!/usr/bin/env node
import module from "node:module";

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
  // Keeps compiled code in the system's temporary folder.
  module.enableCompileCache();
  const { main } = await import("../dist/bundle/cli/main.js");
  process.exitCode = await main(process.argv.slice(2));
}
