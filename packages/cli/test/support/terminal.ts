import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
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

/** Runs the command on a terminal into which the answers are typed, each once it is asked for. */
export async function answering(answers: readonly string[], args: readonly string[]) {
  const terminal = new Terminal(100);
  let hasEnded = false;
  let questions = 0;
  // Each question opens the terminal anew, and would lose what was typed before.
  terminal.stdin.on("newListener", (event) => {
    if (event === "keypress") questions += 1;
  });
  const running = terminal.run(args).finally(() => {
    hasEnded = true;
  });
  for (const [at, answer] of answers.entries()) {
    while (!hasEnded && questions <= at) await setImmediate();
    terminal.stdin.write(`${answer}\n`);
  }
  return running;
}

function textOf(stream: PassThrough): string {
  const bytes: unknown = stream.read();
  return bytes === null ? "" : String(bytes);
}
