import {
  type CheckResult,
  check,
  exitStatusOf,
  liveSite,
  type ReportFormat,
  type Sample,
  writeReport,
} from "@rs-emit/documents/check";
import { discover } from "../discover/discover.ts";
import { guardedFetch } from "../http/network-policy.ts";
import { type Requester, userAgent } from "../http/requester.ts";
import { openTransport } from "../http/transport.ts";
import { EXIT } from "./errors.ts";
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
export async function checkPublication(given: CheckOptions, { stdout }: Streams): Promise<number> {
  const result = await judge(given);
  stdout.write(writeReport(result, given.format, painterOf(stdout)));
  return exitStatusOf(result, given.strict ?? false) === 0 ? EXIT.done : EXIT.failed;
}

async function judge({ site, allowPrivate, contact, sample }: CheckOptions): Promise<CheckResult> {
  const transport = openTransport({ allowPrivate, contact });
  const guarded = guardedFetch(allowPrivate);
  try {
    const description = await discover(transport, site);
    const live = liveSite(guarded.fetch, userAgent(contact));
    return await check({ site: live, description, sample });
  } finally {
    await transport.close();
    await guarded.close();
  }
}
