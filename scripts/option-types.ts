/**
 * Writes the types of the options from their schemas, and the JSON Schema of a config: `node scripts/option-types.ts`.
 * So the types that authors see need no library, and editors say what each option is for.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { pastOptions } from "../packages/core/src/backfill/options.ts";
import { collection, siteOptions } from "../packages/core/src/options/site-options.ts";
import { link } from "../packages/core/src/options/values.ts";

const PACKAGES = join(import.meta.dirname, "../packages");
const CORE = join(PACKAGES, "core/src");
const NOTICE = "// Written by scripts/option-types.ts from the schema.\n";

/** What a schema is made of, as far as these schemas go. */
interface Shape {
  readonly type: string;
  readonly words?: string;
  readonly default?: unknown;
  readonly wrapped?: Shape;
  readonly item?: Shape;
  readonly options?: readonly (Shape | string)[];
  readonly entries?: Readonly<Record<string, Shape>>;
}

/** Schemas whose types have names. */
const NAMES = new Map<unknown, string>([
  [collection, "CollectionOption"],
  [link, "LinkOption"],
]);

/** Each file, and what stands in it. */
export const FILES: ReadonlyMap<string, string> = new Map([
  [
    join(CORE, "options/emit-options.generated.ts"),
    `${NOTICE}
/** The options of a run. */
export interface EmitOptions ${typeOf(siteOptions)}

/** A path below the site, or the path with the collection's description. */
export type CollectionOption = ${typeOf(collection, true)};

/** A link of resources to elsewhere; \`{path}\` in \`href\` is the resource's path. */
export interface LinkOption ${typeOf(link, true)}
`,
  ],
  [
    join(CORE, "backfill/past-options.generated.ts"),
    `${NOTICE}
/** The options of a backfill, besides those of a run. */
export interface PastOptions ${typeOf(pastOptions)}
`,
  ],
  [join(PACKAGES, "cli/config.schema.json"), `${JSON.stringify(configSchema(), undefined, 2)}\n`],
]);

function typeOf(shape: Shape | v.GenericSchema, isNamed = false): string {
  const name = isNamed ? undefined : NAMES.get(shape);
  if (name !== undefined) return name;
  const { type, wrapped, item, options = [], entries = {} }: Shape = shape;
  switch (type) {
    case "string":
    case "boolean":
    case "number":
      return type;
    case "date":
      return "Date";
    case "picklist":
      return options.map((value) => JSON.stringify(value)).join(" | ");
    case "union":
      return [...new Set(options.map((one) => (typeof one === "string" ? one : typeOf(one))))].join(
        " | ",
      );
    case "array":
      return item === undefined ? "unknown[]" : arrayOf(typeOf(item));
    case "optional":
      return wrapped === undefined ? "unknown" : typeOf(wrapped);
    case "strict_object":
      return `{\n${Object.entries(entries)
        .map(([key, entry]) => propertyOf(key, entry))
        .join("\n")}\n}`;
    default:
      throw new Error(`No type is known for ${type}.`);
  }
}

/** The command line may give what a config leaves out. */
function configSchema() {
  const {
    required: _,
    properties = {},
    ...schema
  } = toJsonSchema(siteOptions, {
    typeMode: "input",
    // A check by a function has no JSON Schema: the run makes it.
    errorMode: "ignore",
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      const { type, words }: Shape = valibotSchema;
      if (type === "date") return { type: "string" };
      return words === undefined ? undefined : { ...jsonSchema, description: sentence(words) };
    },
  });
  const described = Object.entries(siteOptions.entries).map(([name, { words }]) => {
    return [name, { ...Object(properties[name]), description: sentence(words) }] as const;
  });
  const title = "The options of rs-emit";
  const all = { $schema: { type: "string" }, ...Object.fromEntries(described) };
  return { ...schema, title, properties: all };
}

function arrayOf(item: string): string {
  return /[ |{]/.test(item) ? `(${item})[]` : `${item}[]`;
}

function propertyOf(key: string, entry: Shape): string {
  const isOptional = entry.type === "optional";
  const words = entry.words === undefined ? "" : `/** ${sentence(entry.words)} */\n`;
  return `${words}${key}${isOptional ? "?" : ""}: ${typeOf(entry)}${isOptional ? " | undefined" : ""};`;
}

function sentence(words: string): string {
  return `${words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())}.`;
}

if (import.meta.main) {
  for (const [file, text] of FILES) writeFileSync(file, text);
  execFileSync("npx", ["biome", "format", "--write", ...FILES.keys()], { stdio: "ignore" });
}
