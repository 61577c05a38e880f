import type { LookupAllOptions } from "node:dns";
import dns from "node:dns/promises";
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * Loaded before a service (`--import`), in each of its threads: its clock is what the file `CLOCK` says, in
 * milliseconds since 1970, and every host of `.test` is this machine. Timers are as they are.
 */
const FILE = process.env.CLOCK ?? "";
/** Milliseconds for which what was read holds. */
const HOLDS = 20;

let time = Date.now();
let readAt = Number.NEGATIVE_INFINITY;
Date.now = () => {
  if (performance.now() - readAt > HOLDS) {
    readAt = performance.now();
    time = Number(readFileSync(FILE, "utf8")) || time; // it is empty while it is being written
  }
  return time;
};

const lookup = dns.lookup.bind(dns);
const here = [{ address: "127.0.0.1", family: 4 }];
Object.defineProperty(dns, "lookup", {
  value: async (hostname: string, options: LookupAllOptions) =>
    hostname.endsWith(".test") ? here : lookup(hostname, options),
});
syncBuiltinESMExports();
