import type { Streams } from "./terminal.ts";
import { ownVersion } from "./version.ts";

/** The command `rs-emit`. Returns the exit code: 0 published or nothing to do, 1 failed, 2 wrong usage. */
export async function main(args: readonly string[], streams: Streams = process): Promise<number> {
  const [asked = "", ...others] = args;
  if (others.length === 0 && /^(?:--version|-V)$/.test(asked)) {
    streams.stdout.write(`${ownVersion()}\n`);
    return 0;
  }
  // Lazy: imports take most of a short run's time.
  const { runProgram } = await import("./program.ts");
  return runProgram(args, streams);
}
