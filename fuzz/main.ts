import { type FuzzOptions, HELP, parseCommandLine, UsageError } from "./command-line.ts";
import { OutFolder } from "./out-folder.ts";
import { corpusOf } from "./reader.ts";
import { moduleOf } from "./readers.ts";
import { watch } from "./watch.ts";

const STATUS = { fine: 0, faults: 1, usage: 2 };

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = parseCommandLine(args, Date.now());
    if (options === "help") {
      process.stdout.write(HELP);
      return STATUS.fine;
    }
    let faults = 0;
    for (const name of options.readers) faults += await fuzz(name, options);
    return faults === 0 ? STATUS.fine : STATUS.faults;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message} See npm run fuzz -- --help.\n`);
    return STATUS.usage;
  }
}

/** @returns the number of faults */
async function fuzz(name: string, { minutes, seed, out }: FuzzOptions): Promise<number> {
  const folder = new OutFolder(out, name);
  const start = Date.now();
  const inputs = [...corpusOf(name).values(), ...folder.grown()];
  process.stdout.write(`${name}: seed ${seed}, from ${inputs.length} inputs\n`);
  const outcome = await watch({
    module: moduleOf(name),
    seed,
    inputs,
    until: start + minutes * 60_000,
    onKept: (bytes) => folder.keep(bytes),
    onFound: (found) => {
      const [line = ""] = found.fault.detail.split("\n");
      process.stdout.write(
        `${name}: ${found.fault.kind}: ${found.fault.function}: ${line}\n  ${folder.add(found)}\n`,
      );
    },
  });
  const { executions, reached, kept, found } = outcome;
  const seconds = Math.round((Date.now() - start) / 1000);
  process.stdout.write(
    `${name}: ${executions} inputs read in ${seconds} s, ${kept} of them kept, ` +
      `${reached} characters of code run, ${found.length} faults\n`,
  );
  if (found.length > 0) process.stdout.write(`${name}: the inputs are in ${folder.faults}\n`);
  return found.length;
}
