import {
  type CheckResult,
  check,
  exitStatusOf,
  type ReportFormat,
  type Sample,
  writeReport,
} from "@rs-emit/check";
import {
  Client,
  discover,
  normalizeAddress,
  plainNotice,
  type Requester,
  robotsGuard,
  type Transport,
  transportOver,
} from "@rs-emit/reader";
import { EXIT } from "./errors.ts";
import { judgedSite } from "./site-for-check.ts";
import { painterOf, type Streams } from "./terminal.ts";

interface CheckOptions extends Requester {
  readonly site: string;
  readonly sample: Sample;
  readonly format: ReportFormat;
  readonly strict?: boolean | undefined;
}

/**
 * Returns the exit status: 1 for errors, with `--strict` for warnings too.
 * @throws {HarvestError} if no publication is found
 */
export async function checkPublication(
  given: CheckOptions,
  { stdout, stderr }: Streams,
): Promise<number> {
  const result = await judge(given, (notice) => stderr.write(`${notice}\n`));
  stdout.write(writeReport(result, given.format, painterOf(stdout)));
  return exitStatusOf(result, given.strict ?? false) === 0 ? EXIT.done : EXIT.failed;
}

async function judge(
  { site, sample, ...requester }: CheckOptions,
  note: (notice: string) => void,
): Promise<CheckResult> {
  const client = new Client(requester);
  try {
    const unasked = transportOver(client);
    const guard = robotsGuard(unasked);
    const transport: Transport = { get: (url, validators) => unasked.get(url, validators, guard) };
    const description = await discover(transport, site);
    const notice = plainNotice(normalizeAddress(site), description);
    if (notice !== undefined) note(notice);
    return await check({ site: judgedSite(client, guard, description), description, sample });
  } finally {
    await client.close();
  }
}
