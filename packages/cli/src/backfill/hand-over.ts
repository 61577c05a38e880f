import { asCommandError } from "../errors.ts";
import type { Settings } from "../publish.ts";
import type { Streams } from "../terminal.ts";

/**
 * Hands the site over to the backfill that builds it, in place of publishing.
 *
 * @throws {CommandError} for what could not be published either
 */
export async function handOver(
  file: string,
  { options, fileOf }: Settings,
  { stderr }: Streams,
): Promise<void> {
  const { EmitError, handOver } = await import("@rs-emit/core");
  try {
    stderr.write(`rs-emit: ${await handOver(file, options)}\n`);
  } catch (error) {
    throw error instanceof EmitError ? asCommandError(error, fileOf) : error;
  }
}
