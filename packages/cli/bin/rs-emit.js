#!/usr/bin/env node
import module from "node:module";

// A reader such as `head` may leave early: the publication stands all the same.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
});

// Node 22.1 and later keep compiled code in the system's temporary folder.
module.enableCompileCache?.();

const { main } = await import("../dist/main.js");
process.exitCode = await main(process.argv.slice(2));
