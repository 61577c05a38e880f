/**
 * Writes the repository from which GitHub's marketplace lists the actions:
 * `node scripts/action-repository.ts <folder> <owner>/<repository>`, the name of that repository. The marketplace wants
 * one action, at the root, beside no workflow. So both parts become one action, by an input that names the part.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { ReleaseError, runScript, UsageError } from "./release/errors.ts";
import { isKnown, namedRepository, repositoryIn } from "./release/repository.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** The parts, as the folders of `actions/` are named. */
const PARTS = ["emit", "after"] as const;

type Part = (typeof PARTS)[number];

interface Input {
  readonly description: string;
  readonly required?: boolean;
  readonly default?: string;
}

/** A composite action, as far as its parts are put together. */
interface Action {
  readonly name: string;
  readonly inputs: Readonly<Record<string, Input>>;
  readonly runs: { readonly steps: readonly Readonly<Record<string, unknown>>[] };
}

/** The folder has a workflow. */
class WorkflowError extends ReleaseError {
  readonly code = "WORKFLOW";

  constructor(folder: string) {
    super(
      `${folder} has workflows, and the marketplace lists no repository that has.`,
      "Delete .github/workflows there, or name another folder.",
    );
  }
}

/** The project does not say where it is, and the action's README leads there. */
class UnknownProjectError extends ReleaseError {
  readonly code = "UNKNOWN_PROJECT";

  constructor() {
    super(
      "package.json does not say in which repository this project is, and the action's README leads there.",
      "Run scripts/owner.ts, commit what it wrote, and write the action again.",
    );
  }
}

/** One action that does what the parts do. */
export function joinedAction(): object {
  const parts = PARTS.map((part) => ({ part, action: readPart(part) }));
  const [emit, after] = parts.map(({ action }) => action.inputs);
  return {
    name: "rs-emit change log and feed",
    description:
      "Tells readers and search engines what changed on a static site: a change log, a feed, a sitemap with true dates.",
    branding: { icon: "rss", color: "orange" },
    inputs: {
      part: {
        description: "emit, after the build and before the deploy; or after, once it is deployed.",
        required: true,
      },
      // What both parts ask for means the same in both.
      ...{ ...forOne("after", after), ...forOne("emit", emit), ...shared(emit, after) },
    },
    runs: {
      using: "composite",
      steps: [
        {
          name: "Is there such a part?",
          shell: "bash",
          // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's
          env: { PART: "${{ inputs.part }}" },
          run: `case "$PART" in
  ${PARTS.join("|")}) ;;
  *) echo "::error title=no such part::The input part is '$PART'. It must be ${PARTS.join(" or ")}."; exit 1;;
esac
`,
        },
        ...parts.flatMap(({ part, action }) =>
          action.runs.steps.map((step) => ({
            name: action.name,
            if: `inputs.part == '${part}'`,
            ...step,
          })),
        ),
      ],
    },
  };
}

function readPart(part: Part): Action {
  return parse(readFileSync(join(ROOT, "actions", part, "action.yml"), "utf8"));
}

type Inputs = Action["inputs"] | undefined;

function shared(one: Inputs = {}, other: Inputs = {}): Record<string, Input> {
  return Object.fromEntries(Object.entries(one).filter(([name]) => name in other));
}

function forOne(part: Part, inputs: Inputs = {}): Record<string, Input> {
  const described = Object.entries(inputs).map(([name, input]): [string, Input] => [
    name,
    { ...input, description: `For ${part}: ${input.description}` },
  ]);
  return Object.fromEntries(described);
}

/** @param repository where the action will be; @param home of the project; @param version the one that it pins */
function readmeOf(repository: string, home: string, version: string): string {
  const project = `https://github.com/${home}`;
  return `# rs-emit change log and feed

Gives a static site a standard change log, and a feed of it: what was published, edited and removed, and when. The feeds that builders make tell of
new posts alone. This project is at <${project}>; this repository is written by its \`scripts/action-repository.ts\`.

Use it twice in the workflow that deploys your site: before the deploy with \`part: emit\`, and after it with \`part: after\`. With the plugin for Eleventy or
Astro, which writes the log during the build, only \`part: after\` is needed.

\`\`\`yaml
permissions:
  contents: read

# Two runs that overlap would tell the same change twice.
concurrency:
  group: pages
  cancel-in-progress: false

steps:
  - uses: ${repository}@v${version}
    with:
      part: emit
      folder: site
      url: https://example.neocities.org/
  # … your deploy step …
  - uses: ${repository}@v${version}
    with:
      part: after
      folder: site
      url: https://example.neocities.org/
\`\`\`

\`emit\` reads what was published before from the live site, and appends what changed. \`after\` waits until the documents are live, checks them, and notifies the
\`hub\`, the \`pings\` and the search engines (\`index-now\`) that you name. \`action.yml\` describes every input. It has no code of its own: each part runs
\`rs-emit\` ${version} by \`npx\`, and needs no permission but to read.

[Examples](${project}/tree/main/examples) · [Hosts](${project}/tree/main/docs/deploy) · MIT licence
`;
}

function main(folder: string, repository: string): void {
  if (existsSync(join(folder, ".github/workflows"))) throw new WorkflowError(folder);
  const home = namedRepository(ROOT);
  if (!isKnown(home)) throw new UnknownProjectError();
  const { version = {} }: Partial<Record<string, Partial<Input>>> = readPart("emit").inputs;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "action.yml"), stringify(joinedAction(), { lineWidth: 0 }));
  writeFileSync(join(folder, "README.md"), readmeOf(repository, home, version.default ?? ""));
  copyFileSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  process.stdout.write(`action.yml, README.md and LICENSE are in ${folder}.\n`);
}

if (import.meta.main) {
  await runScript(() => {
    const [folder, name = "", ...rest] = process.argv.slice(2);
    const repository = repositoryIn(name);
    if (folder === undefined || repository === undefined || rest.length > 0) {
      throw new UsageError("node scripts/action-repository.ts <folder> <owner>/<repository>");
    }
    main(resolve(folder), repository);
  });
}
