/** What the command tells the shell. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** Why a run ended, as the command shows it: one paragraph, and a code that programs can rely on. */
export class CommandError extends Error {
  readonly code: string;
  readonly exitCode: number;
  constructor(
    code: string,
    message: string,
    { exitCode = EXIT.usage, cause }: { exitCode?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** Any error as one that can be shown. */
export function toCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new CommandError(
    "UNEXPECTED",
    `Something happened that rs-emit does not expect (${oneLine(reason)}). That is a fault of the ` +
      "program: please run it again with --verbose, and report what it then shows.",
    { exitCode: EXIT.failed, cause: error },
  );
}

/** The text as part of a paragraph. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
