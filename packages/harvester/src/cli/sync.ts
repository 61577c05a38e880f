import { numeral, printable, printableJson } from "@rs-emit/documents";
import { openTransport, type Requester, RobotsMemory, respectRobots } from "@rs-emit/reader";
import { PARALLEL, type SyncReport, type SyncRequest, sync } from "../sync/index.ts";
import { EXIT } from "./errors.ts";
import { type OutputStreams, ProgressDisplay, painterOf } from "./terminal.ts";

/** Bounds on one resource: what a host's largest file may be, and how long it may take. */
const FILE_LIMITS = { bytes: 10_000_000_000, seconds: 6 * 3600 };

/** Problems that are printed; `--json` has more. */
const PRINTED = 20;

/** `rs-harvest sync <site> <folder>` */
interface SyncOptions extends SyncRequest, Requester {
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/**
 * Makes or updates the copy of a site, and prints the result.
 *
 * @returns the exit status: 0 in sync, 1 not
 * @throws {HarvestError} where the site cannot be read, or the folder cannot hold its copy
 */
export async function syncSite(given: SyncOptions, streams: OutputStreams): Promise<number> {
  const { allowPrivate, contact, tokens } = given;
  const memory = new RobotsMemory(() => Date.now() / 1000);
  const common = { allowPrivate, contact, tokens };
  const documents = openTransport(common);
  const files = openTransport({
    ...common,
    limits: FILE_LIMITS,
    parallel: PARALLEL,
    wanted: "files",
  });
  let display: ProgressDisplay | undefined;
  try {
    const report = await sync(given, {
      documents: respectRobots(documents, { memory }),
      files: respectRobots(files, { memory }),
      robots: memory,
      now: () => Date.now() / 1000,
      progress: {
        start: (resources, doing) => {
          display = new ProgressDisplay(streams.stderr, resources, doing);
        },
        advance: () => display?.advance(),
      },
      onChange: (action, url) => {
        if (given.dryRun && !given.json)
          streams.stdout.write(`would ${action}  ${printable(url)}\n`);
      },
    });
    display?.stop();
    show(report, given, streams);
    return report.isInSync ? EXIT.done : EXIT.failed;
  } finally {
    display?.stop();
    await documents.close();
    await files.close();
  }
}

function show(report: SyncReport, given: SyncOptions, { stdout, stderr }: OutputStreams): void {
  if (given.json) {
    stdout.write(`${printableJson(report)}\n`);
    return;
  }
  const { problems, notes, isInSync, site } = report;
  const paint = painterOf(stderr);
  for (const { url, message } of problems.slice(0, PRINTED)) {
    stderr.write(`${paint("red", printable(url))}\n    ${printable(message)}\n`);
  }
  const more = problems.length - PRINTED;
  if (more > 0) stderr.write(`… and ${numeral(more)} more; --json names them.\n`);
  if (given.quiet) return;
  for (const note of notes) stdout.write(`${printable(note)}\n`);
  const verdict = isInSync ? "in sync" : "not in sync";
  const state = given.dryRun ? "not changed (dry run)" : verdict;
  stdout.write(`${given.folder} and ${site}: ${state}. ${countsOf(report)}.\n`);
}

/** Such as `3 created, 1 deleted, 20 unchanged`. */
function countsOf({ counts }: SyncReport): string {
  const { bytes, ...numbers } = { bytes: undefined, ...counts };
  const parts = Object.entries(numbers)
    .filter(([name, count]) => count !== 0 || ALWAYS.has(name))
    .map(([name, count]) => `${numeral(count)} ${WORDS[name] ?? name}`);
  const fetched = bytes === undefined ? [] : [`${(bytes / 1_000_000).toFixed(1)} MB fetched`];
  return [...parts, ...fetched].join(", ");
}

const ALWAYS: ReadonlySet<string> = new Set(["created", "updated", "deleted", "unchanged"]);
const WORDS: Readonly<Record<string, string>> = {
  kept: "gone from the site and kept (--delete deletes them)",
  different: "different (--repair fetches them again)",
  missing: "missing (--repair fetches them again)",
  cannotBeAudited: "without a hash, as they were written",
  extra: "gone from the site",
  foreign: "not sync's",
};
