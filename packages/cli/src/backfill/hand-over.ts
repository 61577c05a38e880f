import { asCommandError } from "../errors.ts";
import type { PublishSettings } from "../publish.ts";
import type { Streams } from "../terminal.ts";

/** Runs in a backfill's build: reports to the backfill instead of publishing. Throws CommandError. */
export async function handOver(
  file: string,
  { options, fileOf }: PublishSettings,
  { stderr }: Streams,
): Promise<void> {
  const { EmitError, handOver } = await import("@rs-emit/core");
  try {
    stderr.write(`rs-emit: ${await handOver(file, options)}\n`);
  } catch (error) {
    throw error instanceof EmitError ? asCommandError(error, fileOf) : error;
  }
}
