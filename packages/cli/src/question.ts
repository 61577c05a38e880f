import { once } from "node:events";
import type { Interface } from "node:readline/promises";
import { printable, wrap } from "@rs-emit/core/words";
import { lookOf, type Streams } from "./terminal.ts";

export function canAsk({ stdin, stdout, stderr }: Streams): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && stderr.isTTY === true;
}

/** The first run's question. */
export const PROPOSALS = {
  publish: "Publish a change log in this folder, for this address?",
  config: "Is this your site?",
} as const;

const QUESTIONS = {
  first: "Is this the first time?",
  folder: "Is that folder your site?",
  links: "Write into your pages?",
  massDelete: "Are these pages meant to be gone?",
} as const;

export type AskedQuestion = keyof typeof QUESTIONS;

/**
 * @param why the problem in the library's words
 * @param lines shown as they are
 */
export async function ask(
  asked: AskedQuestion,
  why: string,
  lines: readonly string[],
  streams: Streams,
): Promise<boolean> {
  const shown = [wrap(why, lookOf(streams.stderr).width), ...lines.map(printable)];
  streams.stderr.write(`${shown.join("\n")}\n\n`);
  return askYesNo(QUESTIONS[asked], streams);
}

export async function askYesNo(question: string, streams: Streams): Promise<boolean> {
  const bold = lookOf(streams.stderr).paint("bold", question);
  return /^y(?:es)?$/i.test(await askText(`${bold} (y/N) `, streams));
}

/** Returns the trimmed answer; empty where there is none. */
export async function askText(prompt: string, { stdin, stderr }: Streams): Promise<string> {
  // An input that has ended would never say so again.
  if (stdin.readableEnded) return "";
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: stdin, output: stderr });
  // Ctrl-D gives no answer.
  terminal.on("SIGINT", () => interrupt(terminal));
  const closed = once(terminal, "close").then(() => "");
  try {
    const answer = await Promise.race([terminal.question(prompt).catch(() => ""), closed]);
    if (answer === "") stderr.write("\n");
    return answer.trim();
  } finally {
    terminal.close();
  }
}

/** Asks without echo. Returns `undefined` without a terminal. */
export async function askSecret(asked: string, streams: Streams): Promise<string | undefined> {
  if (!canAsk(streams)) return undefined;
  const { stdin, stderr } = streams;
  const { createInterface } = await import("node:readline/promises");
  const { Writable } = await import("node:stream");
  stderr.write(`${asked} `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: nowhere, terminal: true });
  terminal.on("SIGINT", () => interrupt(terminal));
  const closed = once(terminal, "close").then(() => undefined);
  try {
    return await Promise.race([terminal.question(""), closed]);
  } finally {
    terminal.close();
    stderr.write("\n");
  }
}

/** During a prompt readline receives Ctrl-C. A command that ends in order listens and goes on from the question. */
function interrupt(terminal: Interface): void {
  if (!process.emit("SIGINT", "SIGINT")) process.kill(process.pid, "SIGINT");
  terminal.close();
}
