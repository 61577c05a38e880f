#!/usr/bin/env node
import { keepCompiledCode } from "@rs-emit/documents/compiled-code";

// A reader such as `head` may leave early: the publication stands all the same.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
});

keepCompiledCode("rs-emit");

const { main } = await import("../dist/main.js");
process.exitCode = await main(process.argv.slice(2));
