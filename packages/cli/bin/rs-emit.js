#!/usr/bin/env node
import { main } from "../dist/main.js";

// A reader such as `head` may leave early: the publication stands all the same.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await main(process.argv.slice(2));
