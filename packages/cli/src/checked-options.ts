import type { EmitOptions, OptionReading } from "@rs-emit/core";
import { asCommandError } from "./errors.ts";

/** @param fileOf the config file that sets an option; `undefined` for the command line */
export async function checkedOptions(
  options: EmitOptions,
  fileOf: (option: string) => string | undefined,
): Promise<OptionReading> {
  const { EmitError, readOptions } = await import("@rs-emit/core");
  try {
    return readOptions(options);
  } catch (error) {
    throw error instanceof EmitError ? asCommandError(error, fileOf) : error;
  }
}
