import { once } from "node:events";
import { lookOf, type Streams } from "./terminal.ts";
import { wrap } from "./wrap.ts";

/** Whether somebody sits there who could answer. */
export function canAsk({ stdin, stdout, stderr }: Streams): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && stderr.isTTY === true;
}

const QUESTIONS = {
  /** Where the live site cannot tell. */
  first: "Was this site never published with rs-emit before?",
  /** Where it looks like no built site. */
  folder: "Is that folder your site?",
} as const;

/** What only the author can know. */
export type Question = keyof typeof QUESTIONS;

/**
 * Asks a question that is answered with yes or no.
 *
 * @param why the library's words; their cures are for those who cannot be asked
 */
export async function ask(
  asked: Question,
  why: string,
  { stdin, stderr }: Streams,
): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const look = lookOf(stderr);
  const [trouble = why] = why.split(/(?<=\.) (?=[A-Z])/);
  stderr.write(`${wrap(trouble, look.width)}\n\n`);
  const terminal = createInterface({ input: stdin, output: stderr });
  const question = `${look.paint("bold", QUESTIONS[asked])} (y/N) `;
  // While it waits for an answer, the terminal takes Ctrl-C for itself; Ctrl-D is no answer.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const closed = once(terminal, "close").then(() => "");
  try {
    const answer = await Promise.race([terminal.question(question).catch(() => ""), closed]);
    if (answer === "") stderr.write("\n");
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

/**
 * Asks for something that must not be seen.
 *
 * @returns nothing where nobody can answer
 */
export async function askSecret(asked: string, streams: Streams): Promise<string | undefined> {
  if (!canAsk(streams)) return undefined;
  const { stdin, stderr } = streams;
  const { createInterface } = await import("node:readline/promises");
  const { Writable } = await import("node:stream");
  stderr.write(`${asked} `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: nowhere, terminal: true });
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const closed = once(terminal, "close").then(() => undefined);
  try {
    return await Promise.race([terminal.question(""), closed]);
  } finally {
    terminal.close();
    stderr.write("\n");
  }
}
