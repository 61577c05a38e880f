/**
 * Builds several folders, one after the other, in a process of its own: starting Eleventy takes longer
 * than building a small site. `node build-all.ts <job> <answer>`: both are JSON files.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What is to be built. */
export interface Job {
  /** Where Eleventy is installed. */
  readonly eleventy: string;
  readonly builds: readonly BuildRequest[];
}

export interface BuildRequest {
  readonly folder: string;
  readonly output: string;
  readonly config: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** What a build says it wrote. */
export interface BuildAnswer {
  readonly pages: readonly BuiltPage[];
}

export interface BuiltPage {
  readonly file: string;
  /** What the data says of it. */
  readonly resourcesync: unknown;
}

interface Template {
  readonly outputPath: string;
  readonly data?: { readonly resourcesync?: unknown };
}

const [jobFile = "", answerFile = ""] = process.argv.slice(2);
const { eleventy, builds }: Job = JSON.parse(readFileSync(jobFile, "utf8"));
const { main } = JSON.parse(readFileSync(join(eleventy, "package.json"), "utf8"));
const { Eleventy } = await import(pathToFileURL(join(eleventy, main)).href);
const answers: BuildAnswer[] = [];
for (const { folder, output, config, variables } of builds) {
  process.chdir(folder);
  Object.assign(process.env, variables);
  const site = new Eleventy(undefined, output, {
    quietMode: true,
    configPath: config,
    config: (settings: { dataFilterSelectors: Set<string> }) =>
      void settings.dataFilterSelectors.add("resourcesync"),
  });
  const [copied, templates]: [{ map: Record<string, string> }[], Template[]] = await site.write();
  const copies = copied.flatMap(({ map }) => Object.entries(map));
  answers.push({
    pages: [
      ...copies.map(([, file]) => ({ file, resourcesync: undefined })),
      ...templates.map(({ outputPath, data }) => ({
        file: outputPath,
        resourcesync: data?.resourcesync,
      })),
    ],
  });
}
writeFileSync(answerFile, JSON.stringify(answers));
