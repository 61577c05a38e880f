import type { Answer, FreshAnswer } from "../../src/http/transport.ts";

/** An answer that must bring a document. */
export function fresh(answer: Answer): FreshAnswer {
  if (answer.status === "fresh") return answer;
  throw new Error(`${answer.url} is unchanged`);
}

/** The text of a document. */
export async function textOf(answer: Answer): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of fresh(answer).body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
