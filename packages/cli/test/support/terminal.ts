import { PassThrough } from "node:stream";
import { surface } from "../../../../conformance/surface.ts";
import { main } from "../../dist/main.js";
import { forTests } from "./command.ts";

/** A terminal: what is typed into it, and what it showed. */
export class Terminal {
  readonly stdin: PassThrough & { isTTY?: boolean };
  readonly stdout: PassThrough & { isTTY?: boolean; columns?: number };
  readonly stderr: PassThrough & { isTTY?: boolean; columns?: number };

  constructor(columns = 80) {
    this.stdin = Object.assign(new PassThrough(), { isTTY: true });
    this.stdout = Object.assign(new PassThrough(), { isTTY: true, columns });
    this.stderr = Object.assign(new PassThrough(), { isTTY: true, columns });
  }

  /** Runs the command in this terminal. */
  async run(args: readonly string[]): Promise<{ exit: number; stdout: string; stderr: string }> {
    surface(args[0] === "check" ? "judge" : "command");
    const exit = await main(forTests(args), this);
    return { exit, stdout: textOf(this.stdout), stderr: textOf(this.stderr) };
  }
}

function textOf(stream: PassThrough): string {
  const bytes: unknown = stream.read();
  return bytes === null ? "" : String(bytes);
}
